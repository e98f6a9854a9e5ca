/** Edits made to take for ever: thousands at once, texts that are nearly there, heaps of equal headings. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let sluice: Sluice;
beforeAll(async () => {
  sluice = await createSluice({ home: temporaryFolder() });
});
afterAll(() => sluice?.close());

type Edit = Record<string, unknown>;

async function attempt(title: string, content: string, edits: readonly Edit[]) {
  const { id, version } = await sluice.call('create_page', { title, content });
  const outcome = await sluice.call('edit_page', { page: id, base_version: version, edits }).then(
    () => 'done',
    (error) => error.code as string,
  );
  const read = await sluice.call('read_page', { page: id, outline: true });
  return { outcome, unchanged: read.version === version };
}

const many = (count: number, edit: (i: number) => Edit): Edit[] =>
  Array.from({ length: count }, (_, i) => edit(i));

it.each<[string, string, readonly Edit[], string]>([
  ['ten thousand edits', 'a\n', many(10_000, () => ({ op: 'append', text: 'x' })), 'invalid_input'],
  ['as many as are allowed', 'a\n', many(1_000, (i) => ({ op: 'append', text: `x ${i}` })), 'done'],
  [
    'a text that is nearly everywhere',
    'a'.repeat(1_900_000),
    many(50, () => ({ op: 'replace_text', find: `${'a'.repeat(30_000)}b`, text: '' })),
    'not_found',
  ],
  [
    'a text that ends alike everywhere',
    'ab'.repeat(900_000),
    many(50, () => ({ op: 'replace_text', find: `b${'ab'.repeat(15_000)}`, text: '' })),
    'ambiguous',
  ],
  [
    'what looks like a bad pattern',
    `${'a'.repeat(50_000)}!`,
    [{ op: 'replace_text', find: '(a+)+$', text: '' }],
    'not_found',
  ],
  [
    'more searching than a call may do',
    'a'.repeat(1_900_000),
    many(1_000, (i) => ({ op: 'replace_text', find: `b${i}`, text: '' })),
    'invalid_input',
  ],
  [
    'a heap of equal headings',
    '# A\n'.repeat(5_000),
    many(1_000, (i) => ({ op: 'append', section: { heading: 'A', ordinal: i + 1 }, text: 'x' })),
    'done',
  ],
  [
    'a heap of headings, each asked for otherwise',
    '# A\n'.repeat(19_000),
    many(1_000, (i) => ({ op: 'append', section: `${'.'.repeat(i)}a#${i + 1}`, text: 'x' })),
    'invalid_input',
  ],
  [
    'headings that are not there',
    '- x\n'.repeat(5_000),
    many(1_000, (i) => ({ op: 'append', section: `none ${i}`, text: 'x' })),
    'not_found',
  ],
  ['edits that are none', 'a\n', [{ op: 'eval', text: 'x' }], 'invalid_input'],
  ['half a character', 'a😀\n', [{ op: 'replace_text', find: '\ud83d', text: 'x' }], 'invalid_request'],
  ['text that no store can keep', 'a\n', [{ op: 'append', text: 'x\0y' }], 'invalid_input'],
  [
    'a page that grows too long',
    'a\n',
    many(3, () => ({ op: 'append', text: 'x'.repeat(800_000) })),
    'invalid_input',
  ],
])('[EDIT-08] gets an answer to %s, and a page that is whole', async (title, content, edits, wanted) => {
  const { outcome, unchanged } = await attempt(title, content, edits);
  expect(outcome).toBe(wanted);
  expect(unchanged).toBe(wanted !== 'done');
});
