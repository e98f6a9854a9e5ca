/** Searches with everything that means something to a search engine, to SQL or to a regular expression. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice } from '../../src/index.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { legacyHttp, modernHttp, refusalOf, structuredOf, type Wire } from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let wire: Wire;
/** For addresses that are longer than a header may be. */
let session: Wire;
let sluice: Sluice;

beforeAll(async () => {
  server = await startServer(home);
  const token = await addClient(home, 'searcher');
  wire = modernHttp(server.port, token);
  session = await legacyHttp(server.port, token);
  for (const [title, content] of [
    ['Alpha', 'The quick brown fox, NEAR the river.'],
    ['Beta', 'body AND soul OR nothing; title: x'],
    ['Secret', 'nothing of interest'],
  ])
    await asOwner(home, 'create_page', { title, content });
  sluice = await createSluice({ home: temporaryFolder() });
  await sluice.call('create_page', { title: 'Alpha', content: 'quick' });
});
afterAll(async () => {
  await server?.stop();
  await sluice?.close();
});

const QUERIES = [
  'AND',
  'OR',
  'NOT',
  'AND OR NOT',
  'NEAR(quick fox, 5)',
  'NEAR',
  'NEAR/2',
  'quick NEAR fox',
  'title:quick',
  'body:secret',
  '{title body}:quick',
  '- {title}: quick',
  'rowid:1',
  'page_search',
  '^quick',
  'qui*',
  '*',
  '**',
  '"',
  '""',
  '"""',
  '"quick',
  'quick"',
  '"quick" "',
  "'",
  "''",
  "' OR 1=1 --",
  '"; drop table page; --',
  "x'; select * from credential; --",
  '%',
  '_',
  '\\',
  '\\"',
  '(',
  ')',
  '((((((((((',
  '()',
  '[a-z]+',
  '(a+)+$',
  '.*',
  '?',
  '+quick -fox',
  '-',
  '--',
  '-"',
  '-quick',
  ':',
  '::',
  'tag:',
  'tag:"',
  'tag:x tag:y',
  'prop:',
  'prop:a',
  'prop:=',
  'prop:a=b=c',
  'prop:a>',
  'prop:a>=1e999',
  'prop:a<2026-99-99',
  'prop:a~%',
  'has:',
  '-has:"',
  'under:',
  'under:../..',
  'under:nowhere',
  'origin:',
  'origin:x',
  'lifecycle:canonical lifecycle:draft',
  '$1',
  '$$',
  '@@',
  "to_tsquery('x')",
  'quick & fox | !river <-> x',
  ':*',
  'a:b:c',
  '\t\n\r',
  '\u0001',
  '\u202e',
  '\ufeff',
  '😀',
  '🏳️‍🌈',
  'ﬁ',
  'İ',
  'ǅ',
  '\u0300',
  '〱',
  `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`,
  'x'.repeat(10_000),
  'x '.repeat(5_000),
  '" '.repeat(5_000),
  '-x '.repeat(3_000),
  'tag:x '.repeat(1_600),
  '('.repeat(10_000),
];

it.each(QUERIES.map((query) => [query.slice(0, 30), query]))(
  '[HOST-40] %j is a query like any other',
  async (_, query) => {
    const begun = performance.now();
    const answer = await wire.ask('tools/call', { name: 'search', arguments: { query } });
    expect(refusalOf(answer).code).toBeOneOf([undefined, 'invalid_input']);
    const uri = `sluice://workspace/search?q=${encodeURIComponent(query)}`;
    const resource = await session.ask('resources/read', { uri });
    expect(resource.error?.code).toBeOneOf([undefined, -32602]);
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
);

it('[HOST-40] operators find words, not pages that the words do not name', async () => {
  const titles = async (query: string): Promise<string[]> => {
    const { results = [] } = structuredOf(
      await wire.ask('tools/call', { name: 'search', arguments: { query } }),
    );
    return (results as { title: string }[]).map(({ title }) => title).sort();
  };
  expect(await titles('quick')).toEqual(['Alpha']);
  expect(await titles('"quick brown"')).toEqual(['Alpha']);
  expect(await titles('quick -fox')).toEqual([]);
  expect(await titles("' OR 1=1 --")).not.toContain('Alpha');
  expect(await titles('* OR title:*')).not.toContain('Secret');
});

it('[HOST-40] a query of a megabyte is refused with its limit, over the wire and in process', async () => {
  const query = 'quick '.repeat(175_000);
  const answer = await wire.ask('tools/call', { name: 'search', arguments: { query } });
  expect(refusalOf(answer).code).toBeOneOf(['payload_too_large', 'invalid_input']);
  await expect(sluice.call('search', { query })).rejects.toMatchObject({ code: 'payload_too_large' });
  const resource = await session.ask('resources/read', {
    uri: `sluice://workspace/search?q=${query.slice(0, 200_000)}`,
  });
  expect(resource.error?.code).toBe(-32602);
});

it('[HOST-40] random noise is a query like any other', async () => {
  const random = randomFor('search noise');
  const alphabet = [...` "'()*-+:^~{}[]|&!<>=%_\\/,.;@#$\`?aAé中ß0\u0301\u200d\u202e😀`];
  for (let i = 0; i < times(300, 20_000); i += 1) {
    const length = random.between(1, 60);
    const query = Array.from({ length }, () => random.pick(alphabet)).join('');
    const outcome = await sluice.call('search', { query }).catch((error) => error.code);
    expect(outcome === 'internal' ? query : 'fine').toBe('fine');
  }
});
