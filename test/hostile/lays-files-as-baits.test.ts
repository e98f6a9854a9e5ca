/**
 * A caller brings files of its own, under names that hidden pages may use, and waits for what becomes of them: a file
 * or an event that is gone would tell of such a page. Two homes differ in nothing but the hidden pages and files.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Outcome } from '../../src/gateway/request.ts';
import { onEachStore } from '../support/each-store.ts';
import { mole, normaliser, useTwoWorlds } from '../support/leaks/two-worlds.ts';
import { type Answer, owner } from '../support/whole-app.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const said = (outcome: Outcome): string =>
  JSON.stringify(outcome.ok ? outcome.answer : outcome.error.details);

onEachStore('who lays files as baits', (under) => {
  const worlds = useTwoWorlds(under);
  const [here, there] = [normaliser(), normaliser()];

  /** The same in both homes, and nobody but the mole is told more. */
  async function both(name: string, input: Answer = {}, who = mole): Promise<void> {
    const target = { kind: 'tool', name, arguments: input } as const;
    const [real, innocent] = worlds();
    const [got, wanted] = [await real.ask(who, target), await innocent.ask(who, target)];
    if (who === mole) expect([name, here(said(got))]).toEqual([name, there(said(wanted))]);
    else expect([got.ok, wanted.ok]).toEqual([true, true]);
  }

  async function put(path: string, text: string, who = mole): Promise<void> {
    await both('upload_blobs', { blobs: [base64(text)] }, who);
    const file = { path, digest: digestOf(text), size: text.length, parts: [digestOf(text)] };
    await both('import_attachments', { files: [file] }, who);
  }

  async function lookAround(): Promise<void> {
    await both('list_attachments');
    await both('get_timeline', { limit: 100 });
    await both('find_broken_links');
  }

  const hide = (name: string, input: Answer): Promise<Answer> => worlds()[0].call(owner, name, input);
  const seen = async (path: string): Promise<boolean> =>
    (await worlds()[0].ask(mole, { kind: 'tool', name: 'read_attachment', arguments: { path } })).ok;
  const filesInTimeline = async (): Promise<readonly string[]> => {
    const { events } = await worlds()[0].call(mole, 'get_timeline', { limit: 100 });
    return (events as { details: { files?: string[] } }[]).flatMap(({ details }) => details.files ?? []);
  };
  const hiddenPage = async (title: string, content: string, parent?: unknown): Promise<unknown> => {
    const above = parent ?? worlds()[0].ids.get('Salaries');
    return (await hide('create_page', { title, parent: above, content })).id;
  };

  const rewrite = async (page: unknown, content: string): Promise<void> => {
    const { version } = await hide('read_page', { page });
    await hide('update_page_content', { page, content, if_match: version });
  };

  it('[PERM-30] keeps its file when a hidden page shows it, whoever writes that and however', async () => {
    if (!under.available()) return;
    await put('bait.png', 'bait');
    await put('late.png', 'late');
    const page = await hiddenPage('Deep', 'hidden ![[bait.png]]');
    await rewrite(page, 'hidden ![[bait.png]] ![[late.png]]');
    await hide('delete_page', { page });
    await hide('restore_page', { page });
    const files = [{ path: 'Deeper.md', text: '![[bait.png]] ![[late.png]]' }];
    await hide('import_pages', { files, into: worlds()[0].ids.get('Salaries') });
    await lookAround();
    expect([await seen('bait.png'), await seen('late.png')]).toEqual([true, true]);
    await both('detach_file', { path: 'bait.png' });
    await lookAround();
  });

  it('[PERM-30] goes on seeing a file that an open page shows, when its bringer shows it on a hidden one too', async () => {
    if (!under.available()) return;
    await put('common.png', 'common', owner);
    await both('create_page', { title: 'Shows it', content: '![[common.png]]' }, owner);
    await hiddenPage('Shows it too', '![[common.png]]');
    await lookAround();
    expect(await seen('common.png')).toBe(true);
  });

  it('[PERM-30] sees no more of a file that its bringer shows on a hidden page alone', async () => {
    if (!under.available()) return;
    await put('own.png', 'own', owner);
    expect(await seen('own.png')).toBe(true);
    await hiddenPage('Shows its own', '![[own.png]]');
    expect(await seen('own.png')).toBe(false);
    expect(await filesInTimeline()).not.toContain('own.png');
    await both('detach_file', { path: 'own.png' }, owner);
  });

  it('[PERM-28] reads of its files however hidden ones are called', async () => {
    if (!under.available()) return;
    const words = [
      'files',
      'path',
      'after',
      'before',
      'count',
      'changes',
      'digest',
      'image/png',
      ',',
      'null',
    ];
    await put('mine.png', 'mine');
    const page = await hiddenPage('Words', 'nothing');
    for (const path of words) await put(path, 'word', owner);
    await rewrite(page, words.map((path) => `![[${path}]]`).join(' '));
    await worlds()[1].call(owner, 'create_page', { title: 'Words', content: 'nothing' });
    const files = await filesInTimeline();
    expect(files).toContain('mine.png');
    expect(files.filter((path) => words.includes(path))).toEqual([]);
  });

  it('[PERM-31] keeps its events when a hidden file of the same name goes from one hidden page to another', async () => {
    if (!under.available()) return;
    const files = [{ path: 'same.png', digest: digestOf('x'), size: 1, parts: [digestOf('x')] }];
    await hide('upload_blobs', { blobs: [base64('x')] });
    await hide('import_attachments', { files });
    const page = await hiddenPage('Mover', '![[same.png]]');
    await put('same.png', 'same');
    const own = async (): Promise<number> =>
      (await filesInTimeline()).filter((path) => path === 'same.png').length;
    expect([await seen('same.png'), await own()]).toEqual([true, 1]);
    const grant = { page, subject_type: 'client', subject: 'reader' };
    await hide('grant_permission', { ...grant, level: 'read' });
    expect(await own()).toBe(1);
    await hide('move_page', { page, parent: worlds()[0].ids.get('Ledger') });
    expect(await own()).toBe(1);
    await hide('revoke_permission', grant);
    expect([await seen('same.png'), await own()]).toEqual([true, 1]);
  });

  it('[PERM-31] reads of no file in a part of a hidden page that had grants of its own once', async () => {
    if (!under.available()) return;
    const part = await hiddenPage('Part', 'nothing');
    const grant = { page: part, subject_type: 'client', subject: 'reader' };
    await hide('grant_permission', { ...grant, level: 'read' });
    await hide('attach_file', { page: part, name: 'part.png', bytes: base64('part') });
    await hide('revoke_permission', grant);
    expect((await filesInTimeline()).filter((path) => path.includes('part.png'))).toEqual([]);
  });

  it('[PERM-31] reads of no file that went by way of a page which it saw to one which it does not', async () => {
    if (!under.available()) return;
    await put('way.png', 'way', owner);
    const { id: way } = await hide('create_page', { title: 'Way', content: '![[way.png]]' });
    const { id: below } = await hide('create_page', { title: 'Below', parent: way, content: 'nothing' });
    const grant = { page: way, subject_type: 'client', subject: 'mole' };
    await hide('grant_permission', { ...grant, level: 'read' });
    expect(await filesInTimeline()).toContain('way.png');
    await hide('grant_permission', { ...grant, page: below, level: 'hidden' });
    await hide('move_page', { page: way, parent: worlds()[0].ids.get('Salaries') });
    expect(await filesInTimeline()).toContain('way.png');
    const { id: shows } = await hide('create_page', { title: 'Shows', parent: way, content: '![[way.png]]' });
    await rewrite(way, 'nothing more');
    await hide('move_page', { page: shows, parent: below });
    expect(await seen('way.png')).toBe(false);
    expect(await filesInTimeline()).not.toContain('way.png');
  });
});
