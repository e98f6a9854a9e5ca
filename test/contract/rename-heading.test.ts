/** Renaming headings with all links to them, on both stores; judged by texts that are simply made anew. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice, type Sluice, type SluiceClient } from '../../src/app/create-sluice.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { type Random, randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';

onEachStore('renaming headings', (under) => {
  const home = temporaryFolder();
  let sluice: Sluice;
  let spaces = 0;
  const fresh = async (): Promise<SluiceClient> => {
    spaces += 1;
    const made = await sluice.call('workspace.create', { name: `space ${spaces}`, open: true });
    const workspace = (made.workspace as { id: string }).id;
    return sluice.as({ name: 'ann', role: 'owner', kind: 'author', origin: 'authored', workspace });
  };
  const create = async (ann: SluiceClient, title: string, content: string) =>
    String((await ann.call('create_page', { title, content })).id);
  const textOf = async (ann: SluiceClient, page: string) =>
    (await ann.call('read_page', { page, max_tokens: 100_000 })).content;
  beforeAll(async () => {
    if (under.available()) sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
  });
  afterAll(async () => {
    if (!under.available()) return;
    await sluice.close();
    await expectConsistent(home, under.config());
  });

  it.each([
    ['# Old', '# New'],
    ['  ## Old ##  ', '  ## New ##  '],
    ['# Old ^id', '# New ^id'],
    ['Old\n===', 'New\n==='],
    ['Old  \nand more ^x\n---', 'New ^x\n---'],
    ['# Old [[Link]] `code`', '# New'],
    ['\uFEFF# Old', '\uFEFF# New'],
  ])('[EDIT-15] writes the title into %j and nothing else', async (before, after) => {
    const ann = await fresh();
    const id = await create(ann, 'T', `${before}\r\n\r\ntext\r\n`);
    const { headings } = await ann.call('read_page', { page: id, outline: true });
    const [{ section } = { section: '' }] = headings as { section: string }[];
    const done = await ann.call('rename_heading', {
      page: id,
      section: { heading: section, ordinal: 1 },
      title: ' New ',
    });
    expect(done).toMatchObject({ changed: true, to: 'New' });
    expect(await textOf(ann, id)).toBe(`${after}\r\n\r\ntext\r\n`);
  });

  it('[EDIT-15] refuses what is no title, no heading or not the only one', async () => {
    const ann = await fresh();
    const text = 'A\n===\n\n# B\n\n# B\n';
    const id = await create(ann, 'T', text);
    for (const [section, title, code] of [
      ['A', '', 'invalid_input'],
      ['A', 'x\ny', 'invalid_input'],
      ['A', '- x', 'invalid_input'],
      ['A', '# x', 'invalid_input'],
      ['B#1', 'x #', 'invalid_input'],
      ['B', 'x', 'ambiguous'],
      ['C', 'x', 'not_found'],
    ])
      await expect(ann.call('rename_heading', { page: id, section, title })).rejects.toMatchObject({ code });
    expect(await textOf(ann, id)).toBe(text);
    expect(await ann.call('rename_heading', { page: id, section: 'A', title: 'A' })).toMatchObject({
      changed: false,
    });
  });

  it('[EDIT-16] leaves and reports links that fit several headings, and keeps those apart that would', async () => {
    const ann = await fresh();
    const id = await create(ann, 'T', '# A\n\n## X\n\n# B\n\n## Y\n\n# C\n\n# C\n');
    const other = await create(ann, 'O', '[[T#X]] [[T#C]] [[T#Nowhere]] [[T#^x]] [[T]]\n');
    const done = await ann.call('rename_heading', { page: id, section: 'Y', title: 'X' });
    expect(done).toMatchObject({ updated_pages: 1, updated_links: 1, skipped: [] });
    expect(await textOf(ann, other)).toBe('[[T#A#X]] [[T#C]] [[T#Nowhere]] [[T#^x]] [[T]]\n');
    const stuck = await ann.call('rename_heading', { page: id, section: 'C#1', title: 'D' });
    expect(stuck).toMatchObject({ updated_links: 0, skipped: [{ page: other }] });
    const fence = await create(ann, 'F', '[[T#D]]\n\n```\n');
    expect(await ann.call('rename_heading', { page: id, section: 'D', title: 'E' })).toMatchObject({
      updated_pages: 0,
      skipped: [{ page: fence, reason: expect.stringContaining('fence') }],
    });
  });

  it('[EDIT-16] is proposed where an agent asks for it', async () => {
    const ann = await fresh();
    const id = await create(ann, 'Canon', '# A\n');
    const agent = sluice.as({ name: 'bot', role: 'client', kind: 'agent', origin: 'agent-produced' });
    const outcome = await agent
      .call('rename_heading', { page: id, section: 'A', title: 'B' })
      .catch((error) => error);
    expect(JSON.stringify(outcome)).toMatch(/review_required|proposal/);
    expect(await textOf(ann, id)).toBe('# A\n');
  });

  const RUNS = times(6, 150);
  it(`[EDIT-16] gives every text that would have been written with the other title, as foretold, ${RUNS} times`, async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const random = randomFor(`headings ${run}`);
      const ann = await fresh();
      const target = await create(ann, 'Target', page(TITLES, 'none', random).join(''));
      const linking = Array.from({ length: 5 }, () => page([], 'Target', random));
      const ids: string[] = [];
      for (const [i, pieces] of linking.entries())
        ids.push(await create(ann, `P ${i}`, pieces.map((piece) => say(piece, same)).join('')));
      const own = String(await textOf(ann, target));
      const from = random.pick(TITLES);
      const to = random.pick(['New title', '新しい', 'C# and [x]', 'Ünï: code?', from.toUpperCase()]);
      const wish = { page: target, section: from, title: to };
      const foretold = await ann.call('rename_heading', { ...wish, dry_run: true });
      const done = await ann.call('rename_heading', wish);
      for (const key of ['updated_pages', 'updated_links', 'skipped'])
        expect(foretold[key]).toEqual(done[key]);
      expect(done.skipped).toEqual([]);
      const rename = (title: string): string =>
        title === from && fold(from) !== fold(to) ? linkable(to) : title;
      for (const [i, pieces] of linking.entries())
        expect(await textOf(ann, ids[i] ?? ''), `run ${run}: ${from} to ${to}`).toBe(
          pieces.map((piece) => say(piece, rename)).join(''),
        );
      expect(await textOf(ann, target)).toBe(own.replace(`# ${from}\n`, () => `# ${to}\n`));
    }
  });
});

const TITLES = ['Alpha', 'Two words', '漢字', "It's - so", 'Deep one'];
/** `Deep one` stands below `Two words`. */
const LEVELS: Readonly<Record<string, string>> = { 'Deep one': '##' };

const fold = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const linkable = (title: string): string =>
  title
    .replace(/[#[\]|^]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const same = (title: string): string => title;

type Say = (rename: (title: string) => string) => string;
type Piece = string | Say;

const say = (piece: Piece, rename: (title: string) => string): string =>
  typeof piece === 'string' ? piece : piece(rename);

const FORMS: readonly ((title: string) => Piece)[] = [
  (title) => (rename) => `See [[Target#${rename(title)}]].\n\n`,
  (title) => (rename) => `- ![[target#${rename(title)}|shown #x]]\n`,
  (title) => (rename) => `| a |\n| - |\n| [[Target#${rename(title)}\\|shown]] |\n\n`,
  (title) => (rename) =>
    `[t](Target.md#${rename(title).replace(/[ ()]/g, (mark) => (mark === ' ' ? '%20' : mark))} "title")\n\n`,
  (title) => (rename) => `[t](<Target.md#${rename(title)}>)\n\n`,
  (title) => (rename) =>
    title === 'Deep one'
      ? `[[Target#${rename('Two words')}#${rename(title)}|both]]\n\n`
      : `> [[Target#${rename(title)}]]\n\n`,
  (title) => `\`[[Target#${title}]]\`\n\n\`\`\`\n[[Target#${title}]]\n\`\`\`\n\n`,
  (title) => `[[Other#${title}]] [[#${title}]] [[Target]] #${fold(title)}\n\n`,
];

function page(titles: readonly string[], target: string, random: Random): Piece[] {
  if (target === 'none')
    return titles
      .toSorted((a, b) => Number(a === 'Deep one') - Number(b === 'Deep one'))
      .flatMap((title) =>
        title === 'Deep one'
          ? []
          : [
              `# ${title}\n\ntext\n\n`,
              ...(title === 'Two words' ? [`${LEVELS['Deep one']} Deep one\n\n`] : []),
            ],
      );
  return Array.from({ length: random.between(1, 6) }, () => random.pick(FORMS)(random.pick(TITLES)));
}
