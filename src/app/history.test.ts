import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { unifiedDiff } from '../domain/workspace/unified-diff.ts';
import { createSluice, type Sluice, type SluiceClient } from './create-sluice.ts';

const folder = temporaryFolder();
let homes = 0;
let sluice: Sluice;
let bot: SluiceClient;
let editor: SluiceClient;

beforeEach(async () => {
  homes += 1;
  sluice = await createSluice({ home: `${folder}/${homes}` });
  const opened = sluice;
  onTestFinished(() => opened.close());
  bot = sluice.as({ name: 'bot', run: 'one' });
  editor = sluice.as({ name: 'ed', role: 'editor', kind: 'author', origin: 'authored', run: 'morning' });
});

type Answer = Record<string, unknown>;
interface Block {
  readonly block: string;
  readonly text: string;
  readonly origin: string;
  readonly written_by: { actor: string; origin: string; run: string; sources: unknown[] }[];
  readonly restored_by?: { actor: string };
}

const create = (title: string, content: string, as: SluiceClient = sluice, more: Answer = {}) =>
  as.call('create_page', { title, content, ...more });
const write = async (page: string, content: string, as: SluiceClient = sluice): Promise<Answer> => {
  const { version } = await sluice.call('read_page', { page });
  return as.call('update_page_content', { page, content, base_version: version });
};
const textOf = async (page: string): Promise<unknown> => (await sluice.call('read_page', { page })).content;
const provenance = (page: string, more: Answer = {}): Promise<Answer> =>
  sluice.call('get_provenance', { page, ...more });
const blocksOf = async (page: string): Promise<Block[]> =>
  (await provenance(page, { blocks: true, max_tokens: 100_000 })).blocks as Block[];
const writers = async (page: string): Promise<string[]> =>
  (await blocksOf(page)).map(({ origin, written_by }) =>
    [origin, ...written_by.map(({ actor }) => actor)].join(' '),
  );
const undo = (run: string, more: Answer = {}): Promise<Answer> => sluice.call('undo_run', { run, ...more });

/** What `patch` does. */
function applyDiff(text: string, diff: string): string {
  if (diff === '') return text;
  const old = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
    } else if (line.startsWith('\\')) {
      if (old.at(at - 1)?.endsWith('\n') !== false || out.length > 0)
        out.push((out.pop() ?? '').replace(/\n$/, ''));
    } else if (line.startsWith('+')) out.push(`${line.slice(1)}\n`);
    else {
      if (line.startsWith(' ')) out.push(old[at] ?? '');
      expect(old[at]?.replace(/\n$/, '')).toBe(line.slice(1));
      at += 1;
    }
  }
  return [...out, ...old.slice(at)].join('');
}

describe('[HIST-01] comparing versions', () => {
  it('gives a diff that makes the one text of the other', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'long line');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }))
      .map(([lines]) => lines.map((l) => `${l}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyDiff(before, unifiedDiff(before, after, { from: 'a', to: 'b' }))).toBe(after);
      }),
    );
  });

  it('tells a last line with a line break from one without', () => {
    const diff = unifiedDiff('a\nb\n', 'a\nb', { from: 'x', to: 'y' });
    expect(diff).toBe('--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n');
  });

  it('is of the last change without versions, and of any two with them', async () => {
    const first = await create('A', 'one\n\nnumber two\n');
    const second = await write('a', 'one\n\nnumber 2\n');
    await write('a', 'one\n\nnumber 2\n\nthree\n');
    expect(await sluice.call('diff_versions', { page: 'a' })).toMatchObject({
      from: second.version,
      lines_added: 2,
      lines_removed: 0,
      diff: expect.stringContaining('+three\n'),
    });
    const whole = await sluice.call('diff_versions', { page: 'a', from: first.version, form: 'blocks' });
    expect(whole.blocks).toEqual([
      { change: 'changed', before: 'number two', after: 'number 2' },
      { change: 'added', before: '', after: 'three' },
    ]);
    const back = await sluice.call('diff_versions', { page: 'a', from: second.version, to: first.version });
    expect(back.diff).toContain('-number 2\n+number two\n');
    const made = await sluice.call('diff_versions', { page: 'a', to: first.version });
    expect(made).toMatchObject({ from: null, lines_added: 3 });
  });

  it('comes in parts that join to the whole', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 300 }, (_, i) => `${word} ${i}\n\n`).join('');
    await create('Long', lines('before'));
    await write('long', lines('after'));
    const whole = await sluice.call('diff_versions', { page: 'long', max_tokens: 100_000 });
    let joined = '';
    let parts = 0;
    for (let cursor: unknown; ; ) {
      const part = await sluice.call('diff_versions', {
        page: 'long',
        max_tokens: 500,
        ...(cursor !== undefined && { cursor }),
      });
      joined += String(part.diff);
      parts += 1;
      cursor = part.next_cursor;
      if (cursor === undefined) break;
    }
    expect(joined).toBe(whole.diff);
    expect(parts).toBeGreaterThan(3);
  });

  it('refuses versions of other pages', async () => {
    await create('A', 'x');
    const other = await create('B', 'y');
    await expect(sluice.call('diff_versions', { page: 'a', from: other.version })).rejects.toMatchObject({
      code: 'not_found',
      details: { field: 'from' },
    });
  });
});

describe('[HIST-02] restoring a version', () => {
  it('is a new change; each block is whose it was', async () => {
    const first = await create('C', 'agent words stand here\n\nmore agent words too\n', bot);
    const head = await write('c', 'something that a person wrote instead\n', editor);
    const done = await sluice.call('restore_version', {
      page: 'c',
      version: first.version,
      if_match: head.version,
    });
    expect(done).toMatchObject({ changed: true, previous_version: head.version });
    expect(done.version).not.toBe(first.version);
    expect(await textOf('c')).toBe('agent words stand here\n\nmore agent words too\n');
    expect(await writers('c')).toEqual(['agent-produced bot', 'agent-produced bot']);
    expect((await blocksOf('c')).map(({ restored_by }) => restored_by?.actor)).toEqual(['owner', 'owner']);
    const [event] = (await sluice.call('get_page_history', { page: 'c' })).events as Answer[];
    expect(event).toMatchObject({ kind: 'content_changed', details: { restored: first.version } });
  });

  it('lands only on the version that was named, and never on a canonical page for an agent', async () => {
    const first = await create('A', 'one');
    const second = await write('a', 'two');
    const third = await write('a', 'three');
    const wish = { page: 'a', version: first.version };
    await expect(sluice.call('restore_version', { ...wish, if_match: second.version })).rejects.toMatchObject(
      { code: 'conflict', details: { reason: 'stale', version: third.version } },
    );
    const asked = bot.call('restore_version', { ...wish, if_match: third.version });
    await asked.catch(() => undefined);
    expect(await textOf('a')).toBe('three');
  });
});

describe('[HIST-04] whose a block is', () => {
  it('is kept for untouched blocks and shared by those who wrote it', async () => {
    await create('C', 'one by the agent\n\ntwo by the agent\n', bot);
    await write('c', 'one by the agent\n\ntwo by the agent, and by me\n\nthree by me\n', editor);
    expect(await writers('c')).toEqual(['agent-produced bot', 'mixed ed bot', 'authored ed']);
    await write('c', 'one by the agent\n\ntwo by the agent, and by me\n\nthree by me, and us\n');
    expect(await writers('c')).toEqual(['agent-produced bot', 'mixed ed bot', 'authored owner ed']);
  });

  it('does not change with blank lines around it', async () => {
    await create('C', 'one by the agent', bot);
    await write('c', 'one by the agent\n\n\nmine\n', editor);
    expect(await writers('c')).toEqual(['agent-produced bot', 'authored ed']);
  });

  it('names the writers that the newest of each origin pushed out last', async () => {
    await create('C', 'words of the agent', bot);
    let text = 'words of the agent';
    for (let i = 0; i < 12; i += 1) {
      text += ` and ${i}`;
      await write('c', text, sluice.as({ name: `p${i}`, role: 'editor', origin: 'authored' }));
    }
    const [block] = await blocksOf('c');
    expect(block).toMatchObject({ origin: 'mixed' });
    expect(block?.written_by.map(({ actor }) => actor)).toEqual([
      'p11',
      'p10',
      'p9',
      'p8',
      'p7',
      'p6',
      'p5',
      'bot',
    ]);
  });

  it('answers for one block by its id, and says nothing of blocks that are not there', async () => {
    const source = await create('Source', 'x');
    await create('C', 'one\n\ntwo\n', bot, { derived_from: ['source'] });
    const [first] = await blocksOf('c');
    expect(await sluice.call('get_provenance', { block: first?.block })).toMatchObject({
      origin: 'agent-produced',
      lifecycle: 'candidate',
      actor: 'bot',
      run: 'client:bot/one',
      sources: [{ page: source.id, version: source.version, changed_since: false }],
      blocks: [{ text: 'one' }],
    });
    await write('c', 'two\n', editor);
    const gone = sluice.call('get_provenance', { block: first?.block });
    await expect(gone).rejects.toMatchObject({ code: 'not_found' });
    await expect(sluice.call('get_provenance', { block: 'x', page: 'c' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('[HIST-05] moving text about', () => {
  const agent = ['alpha beta gamma delta epsilon zeta', 'eta theta iota kappa lambda mu'];
  it.each([
    ['moved', `${agent[1]}\n\n${agent[0]}\n`],
    ['split', 'alpha beta gamma\n\ndelta epsilon zeta\n\neta theta iota kappa lambda mu\n'],
    ['joined', `${agent.join(' ')}\n`],
    ['copied and changed', `${agent.join('\n\n')}\n\nmine: alpha beta gamma\n`],
    ['another kind of block', agent.map((text) => `- ${text}\n`).join('')],
  ])('keeps the writer of what is %s', async (_, text) => {
    await create('C', `${agent.join('\n\n')}\n`, bot);
    await write('c', text, editor);
    for (const { written_by } of await blocksOf('c'))
      expect(written_by.map(({ actor }) => actor)).toContain('bot');
  });

  it('tells words apart where no spaces are between them', async () => {
    await create('C', '这是代理写的一段文字', bot);
    await write('c', '前言\n\n我改了这是代理写的一段文字\n', editor);
    expect((await writers('c')).at(-1)).toBe('mixed ed bot');
  });
});

it('[HIST-06] leaves blocks whose they are when links in them are rewritten', async () => {
  await create('Old', 'x');
  await create('C', '- [[Old]]\n- [[Old]]\n- [[Old|shown]]\n', bot);
  const before = await blocksOf('c');
  await sluice.call('rename_page', { page: 'old', title: 'New name' });
  expect(await textOf('c')).toBe('- [[New name]]\n- [[New name]]\n- [[New name|shown]]\n');
  const after = await blocksOf('c');
  expect(after.map(({ block, written_by }) => [block, written_by])).toEqual(
    before.map(({ block, written_by }) => [block, written_by]),
  );
});

describe('[HIST-08] sources', () => {
  it('are said to have changed, in provenance and when the page is read', async () => {
    await create('Source', 'one');
    await create('Other', 'two');
    await create('Summary', 'x', bot, { derived_from: ['source', 'other'] });
    const flags = async () => {
      const { sources } = await provenance('summary');
      const { derived_from } = await sluice.call('read_page', { page: 'summary' });
      expect(derived_from).toEqual(sources);
      return (sources as { changed_since: boolean; state: string }[]).map((one) =>
        [one.changed_since, one.state].join(),
      );
    };
    expect(await flags()).toEqual(['false,live', 'false,live']);
    await write('source', 'changed');
    expect((await flags()).sort()).toEqual(['false,live', 'true,live']);
    await sluice.call('delete_page', { page: 'other' });
    expect((await flags()).sort()).toEqual(['true,live', 'true,trashed']);
  });
});

describe('[HIST-22] a derived page', () => {
  it('is made from what its run was shown, at the versions it was shown in', async () => {
    const [a, b] = [await create('A', 'one'), await create('B', 'two')];
    await create('Unread', 'three');
    for (const page of ['a', 'b']) await bot.call('read_page', { page });
    const changed = await write('a', 'one, changed');
    const { id } = await bot.call('create_derived_page', {
      title: 'Summary',
      content: 'See [[A]] and [[B]].',
    });
    const told = ((await provenance(String(id))).sources as Answer[]).map(({ page, version }) => [
      page,
      version,
    ]);
    expect(told.sort()).toEqual(
      [
        [a.id, a.version],
        [b.id, b.version],
      ].sort(),
    );
    expect(changed.version).not.toBe(a.version);
  });

  it('cannot be made from nothing', async () => {
    const blind = sluice.as({ name: 'blind', run: 'one' });
    await expect(blind.call('create_derived_page', { title: 'X', content: 'x' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('[HIST-09] the provenance of a large page', () => {
  it('comes in parts', async () => {
    const text = Array.from({ length: 500 }, (_, i) => `paragraph ${i}\n\n`).join('');
    await create('Large', text, bot);
    const seen: string[] = [];
    let [parts, cursor]: [number, unknown] = [0, undefined];
    do {
      const part = await provenance('large', { blocks: true, ...(cursor !== undefined && { cursor }) });
      seen.push(...(part.blocks as Block[]).map((block) => block.text));
      expect(JSON.stringify(part.blocks).length / 4).toBeLessThan(8_000);
      expect(part.origins).toMatchObject({ 'agent-produced': 500 });
      cursor = part.next_cursor;
      parts += 1;
    } while (cursor !== undefined);
    expect(seen).toEqual(Array.from({ length: 500 }, (_, i) => `paragraph ${i}`));
    expect(parts).toBeGreaterThan(5);
  });

  it('refuses a part of a page that changed meanwhile', async () => {
    await create('Large', Array.from({ length: 100 }, (_, i) => `p ${i}\n\n`).join(''), bot);
    const { next_cursor: cursor } = await provenance('large', { blocks: true, max_tokens: 500 });
    await write('large', 'short', editor);
    await expect(provenance('large', { blocks: true, cursor })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'stale' },
    });
  });
});

describe('[HIST-11] undoing a run that others worked after', () => {
  const report = (answer: Answer) =>
    (answer.pages as { title: string; outcome: string; reasons: string[] }[]).map(
      ({ title, outcome, reasons }) => [title, outcome, ...reasons].join(': '),
    );

  it('takes back its blocks and leaves theirs', async () => {
    await create('A', 'one\n\ntwo\n\nthree\n');
    await write('a', 'one\n\n2\n\nthree\n', editor);
    await write('a', 'one\n\n2\n\nthree, by the owner\n');
    const answer = await undo('author:ed/morning');
    expect(report(answer)).toEqual(['A: undone']);
    expect(await textOf('a')).toBe('one\n\ntwo\n\nthree, by the owner\n');
  });

  it('leaves what they changed, although they wrote the same words again', async () => {
    await create('A', 'one\n\ntwo\n\nthree\n');
    await write('a', 'one\n\n2\n\nthree\n', editor);
    await write('a', 'one\n\nnothing at all\n\nthree\n');
    await write('a', 'one\n\n2\n\nthree\n');
    expect(report(await undo('author:ed/morning'))).toEqual(['A: kept: others changed the same place since']);
    expect(await textOf('a')).toBe('one\n\n2\n\nthree\n');
  });

  it('leaves pages that they worked on or put pages below, and what stands above those', async () => {
    const top = await create('Top', 'x', editor);
    const mid = await create('Mid', 'x', editor, { parent: top.id });
    await create('Own', 'x', editor, { parent: top.id });
    await create('Theirs', 'x', sluice, { parent: mid.id });
    await create('Worked on', 'x', editor);
    await write('worked-on', 'x and y');
    await create('Alone', 'x', editor);
    const answer = await undo('author:ed/morning');
    expect(report(answer).sort()).toEqual([
      'Alone: undone',
      'Mid: kept: others have pages below it',
      'Own: undone',
      'Top: kept: others have pages below it',
      'Worked on: kept: owner worked on the page since',
    ]);
    expect(answer).toMatchObject({ undone: 2, kept: 3 });
    await expect(textOf('alone')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves names and places that they changed', async () => {
    await create('A', 'x');
    await create('B', 'x');
    await editor.call('rename_page', { page: 'a', title: 'A two' });
    await editor.call('move_page', { page: 'b', parent: 'a-two' });
    await editor.call('update_page_metadata', { page: 'b', icon: '★' });
    await sluice.call('rename_page', { page: 'a-two', title: 'A three' });
    const answer = await undo('author:ed/morning');
    expect(report(answer)[0]).toMatch(/^A three: kept: owner renamed/);
    expect(report(answer)[1]).toBe('B: undone');
    expect((await sluice.call('read_page', { page: 'b' })).icon).toBeNull();
  });
});

describe('[HIST-12][HIST-13] undoing', () => {
  it('is previewed exactly, changes nothing by that, and is done once', async () => {
    await create('A', 'one\n\n[[B]]\n');
    await create('B', 'x');
    await editor.call('rename_page', { page: 'b', title: 'C', keep_alias: true });
    await write('a', 'ONE\n\n[[C]]\n', editor);
    await editor.call('delete_page', { page: 'c' });
    await create('D', 'x', editor);
    const before = await sluice.call('get_timeline', { limit: 100 });
    const preview = await undo('author:ed/morning', { dry_run: true });
    expect(await sluice.call('get_timeline', { limit: 100 })).toEqual(before);
    const done = await undo('author:ed/morning');
    const { undo_run: own, ...same } = done;
    expect(same).toEqual({ ...preview, dry_run: false });
    expect(await textOf('a')).toBe('one\n\n[[B]]\n');
    expect(await sluice.call('read_page', { page: 'b' })).toMatchObject({ title: 'B', aliases: [] });
    const twice = await undo('author:ed/morning');
    expect(twice).toMatchObject({ undone: 0, kept: 0 });
    const back = await undo(own as string);
    expect(back).toMatchObject({ kept: 0 });
    expect(await textOf('a')).toBe('ONE\n\n[[C]]\n');
    await expect(textOf('c')).rejects.toMatchObject({ code: 'not_found' });
    expect(await textOf('d')).toBe('x');
    expect(await undo('author:ed/morning')).toMatchObject({ kept: 0 });
    expect(await textOf('a')).toBe('one\n\n[[B]]\n');
  });
});
