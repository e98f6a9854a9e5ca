import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  age,
  type SyncedFolder,
  snapshotOf,
  syncedFolder,
  workspaceFiles,
} from '../../../test/support/synced-folder.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const open: SyncedFolder[] = [];
afterAll(() => Promise.all(open.map(({ sluice }) => sluice.close())));

async function fresh(files: Readonly<Record<string, string | Buffer>> = {}): Promise<SyncedFolder> {
  const synced = await syncedFolder(files);
  open.push(synced);
  return synced;
}

/** Synced once, and long ago. */
async function settled(files: Readonly<Record<string, string | Buffer>>): Promise<SyncedFolder> {
  const synced = await fresh(files);
  expect((await synced.sync()).settled).toBe(true);
  return synced;
}

const versionOf = async ({ call }: SyncedFolder, page: string): Promise<string> =>
  (await call('read_page', { page })).version as string;

const idOf = async ({ call }: SyncedFolder, page: string): Promise<string> =>
  (await call('read_page', { page })).id as string;

async function edit(synced: SyncedFolder, page: string, content: string): Promise<void> {
  const base_version = await versionOf(synced, page);
  await synced.call('update_page_content', { page, content, base_version });
}

const NOTHING = { created: 0, updated: 0, moved: 0, removed: 0 };

describe('a first sync', () => {
  it('[SYNC-01][SYNC-02][SYNC-09] brings both sides to the union of what they had, and touches no file that was there', async () => {
    const synced = await fresh({
      'A.md': '# A\r\n[[Plan]]',
      'Plan.md': 'plan',
      'Plan/Step.md': 'step',
      'Deep/er/Leaf.md': '\uFEFFleaf',
      'img/x.png': Buffer.from([0, 255, 1]),
      'latin.md': Buffer.from([0x63, 0xe9]),
    });
    await synced.call('create_page', { title: 'Mine: all?', content: 'mine' });
    age(synced.folder);
    const before = snapshotOf(synced.folder);
    const report = await synced.sync();
    expect(report).toMatchObject({
      taken: { created: 6 },
      written: { created: 1 },
      conflicts: [],
      odd: [{ path: 'latin.md', problem: 'is not text in UTF-8; it is kept as a file' }],
      oddities: 1,
      settled: true,
    });
    expect(await synced.sync()).toMatchObject({ odd: [] });
    expect(snapshotOf(synced.folder)).toMatchObject(before);
    expect(synced.paths()).toEqual([...Object.keys(before), 'Mine- all-.md'].sort());
    expect(synced.read('Mine- all-.md')).toBe('mine');
    expect(await workspaceFiles(synced.call)).toMatchObject({
      'A.md': '# A\r\n[[Plan]]',
      'Deep/er/Leaf.md': '\uFEFFleaf',
    });
    const after = snapshotOf(synced.folder);
    const side = readFileSync(join(synced.folder, '.sluice', 'sync.json'), 'utf8');
    expect(await synced.sync()).toMatchObject({ taken: NOTHING, written: NOTHING, settled: true });
    expect(snapshotOf(synced.folder)).toEqual(after);
    expect(readFileSync(join(synced.folder, '.sluice', 'sync.json'), 'utf8')).toBe(side);
  });

  it('[SYNC-01] makes one of a page and a file that are the same, and loses neither where they are not', async () => {
    const synced = await fresh({ 'Same.md': 'same', 'Other.md': 'of the folder' });
    await synced.call('create_page', { title: 'Same', content: 'same' });
    await synced.call('create_page', { title: 'Other', content: 'of the workspace' });
    const { conflicts } = await synced.sync();
    expect(conflicts).toEqual([
      { path: 'Other.md', kept: expect.stringMatching(/^Other \(conflict .* 1\)\.md$/) },
    ]);
    const [{ kept = '' } = {}] = conflicts;
    expect(await workspaceFiles(synced.call)).toEqual({
      'Same.md': 'same',
      'Other.md': 'of the workspace',
      [kept]: 'of the folder',
    });
    expect(synced.paths()).toEqual([kept, 'Other.md', 'Same.md'].sort());
  });

  it('[SYNC-14] makes authored, canonical pages, and leaves candidates out until they are asked for', async () => {
    const synced = await fresh({ 'A.md': 'a' });
    const agent = synced.sluice.as({ name: 'agent', origin: 'agent-produced' });
    await agent.call('create_page', { title: 'Idea', content: 'an idea' });
    await synced.sync();
    expect(await synced.call('read_page', { page: 'a' })).toMatchObject({
      origin: 'authored',
      lifecycle: 'canonical',
    });
    expect(synced.paths()).toEqual(['A.md']);
    await synced.sync({ candidates: true });
    expect(synced.paths()).toEqual(['A.md', 'Idea.md']);
    // Once it is there it is kept equal.
    await edit(synced, 'idea', 'a better idea');
    await synced.sync();
    expect(synced.read('Idea.md')).toBe('a better idea');
  });

  it('[SYNC-16] says in a dry run what would happen and changes nothing', async () => {
    const synced = await settled({ 'A.md': 'a', 'B.md': 'b', 'C.md': 'c' });
    synced.write({ 'A.md': 'a2', 'New.md': 'n', 'x.png': Buffer.from([255]) });
    rmSync(join(synced.folder, 'B.md'));
    await synced.call('rename_page', { page: 'c', title: 'See' });
    const [before, pages] = [snapshotOf(synced.folder), await workspaceFiles(synced.call)];
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await synced.plan()).toEqual([
      'A.md: the file goes into its page',
      'B.md: the file is gone, its page goes to the trash',
      'C.md: the file goes to See.md',
      'New.md: the file becomes a page',
      'x.png: the file becomes an attachment',
    ]);
    expect([snapshotOf(synced.folder), await workspaceFiles(synced.call)]).toEqual([before, pages]);
  });
});

describe('texts', () => {
  it('[SYNC-03] go where they did not change, and are merged where both did', async () => {
    const text = 'One.\n\nTwo.\n\nThree.\n';
    const synced = await settled({ 'F.md': text, 'P.md': text, 'Both.md': text, 'Still.md': text });
    age(synced.folder);
    await synced.sync();
    const still = snapshotOf(synced.folder)['Still.md'];
    chmodSync(join(synced.folder, 'P.md'), 0o600);
    synced.write({ 'F.md': text.replace('One', 'File'), 'Both.md': text.replace('One', 'File') });
    await edit(synced, 'p', text.replace('Three', 'Page'));
    await edit(synced, 'both', text.replace('Three', 'Page'));
    const report = await synced.sync();
    expect(report).toMatchObject({ conflicts: [], settled: true });
    const merged = 'File.\n\nTwo.\n\nPage.\n';
    const wanted = {
      'F.md': text.replace('One', 'File'),
      'P.md': text.replace('Three', 'Page'),
      'Both.md': merged,
      'Still.md': text,
    };
    expect(await workspaceFiles(synced.call)).toEqual(wanted);
    expect(Object.fromEntries(synced.paths().map((path) => [path, synced.read(path)]))).toEqual(wanted);
    expect(statSync(join(synced.folder, 'P.md')).mode & 0o777).toBe(0o600);
    expect(snapshotOf(synced.folder)['Still.md']).toBe(still);
  });

  it('[SYNC-04] that changed in the same place are both kept, once, and both sides are equal then', async () => {
    const synced = await settled({ 'Sub/N.md': 'One.\n\nTwo.\n' });
    synced.write({ 'Sub/N.md': 'File.\n\nTwo.\n' });
    await edit(synced, 'sub/n', 'Page.\n\nTwo.\n');
    const report = await synced.sync();
    const day = new Date().toISOString().slice(0, 10);
    const kept = `Sub/N (conflict ${day} 1).md`;
    expect(report.conflicts).toEqual([{ path: 'Sub/N.md', kept }]);
    const wanted = { 'Sub/N.md': 'Page.\n\nTwo.\n', [kept]: 'File.\n\nTwo.\n' };
    expect(await workspaceFiles(synced.call)).toEqual(wanted);
    expect([synced.read('Sub/N.md'), synced.read(kept)]).toEqual(Object.values(wanted));
    expect(await synced.sync()).toMatchObject({ taken: NOTHING, written: NOTHING, conflicts: [] });
  });

  it('[SYNC-15] of files are not undone by a home that was put back', async () => {
    const synced = await settled({ 'A.md': 'One.\n' });
    const text = 'One.\n\nTwo.\n';
    synced.write({ 'A.md': text });
    // As a restored home looks to the folder: it never had what was agreed on last.
    const side = join(synced.folder, '.sluice', 'sync.json');
    const agreement = JSON.parse(readFileSync(side, 'utf8'));
    agreement.change += 1_000;
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    agreement.pages[0][1] = { path: 'A.md', digest, version: 'v1.never.was' };
    writeFileSync(side, JSON.stringify(agreement));
    await synced.sync();
    expect(synced.read('A.md')).toBe('One.\n\nTwo.\n');
    expect((await synced.call('read_page', { page: 'a' })).content).toBe('One.\n\nTwo.\n');
  });
});

describe('deletions', () => {
  it('[SYNC-05] go both ways, to the trash on one side', async () => {
    const synced = await settled({
      'A.md': 'a',
      'B/C.md': 'c',
      'x.png': Buffer.from([255]),
      'y.png': Buffer.from([254]),
    });
    rmSync(join(synced.folder, 'A.md'));
    rmSync(join(synced.folder, 'x.png'));
    await synced.call('delete_page', { page: 'b/c' });
    expect(await synced.sync()).toMatchObject({
      taken: { removed: 2 },
      written: { removed: 1 },
      settled: true,
    });
    expect(synced.paths()).toEqual(['y.png']);
    expect(existsSync(join(synced.folder, 'B'))).toBe(false);
    expect(Object.keys(await workspaceFiles(synced.call))).toEqual(['y.png']);
    const { batches } = await synced.call('list_trash', {});
    expect((batches as { pages: { title: string }[] }[]).map(({ pages }) => pages[0]?.title).sort()).toEqual([
      'A',
      'C',
    ]);
  });

  it('[SYNC-20] of everything at once are refused until somebody says that it is meant', async () => {
    const files = { 'A.md': 'a', 'B/C.md': 'c', 'x.png': Buffer.from([255]) };
    const synced = await settled(files);
    const before = await workspaceFiles(synced.call);
    for (const path of Object.keys(files)) rmSync(join(synced.folder, path));
    const refusal = { code: 'conflict', details: { reason: 'folder_emptied', files: 3 } };
    await expect(synced.sync()).rejects.toMatchObject(refusal);
    await expect(synced.plan()).rejects.toMatchObject(refusal);
    expect(await workspaceFiles(synced.call)).toEqual(before);
    // A disk that is there again.
    synced.write(files);
    age(synced.folder);
    expect(await synced.sync()).toMatchObject({ taken: { removed: 0 }, settled: true });
    for (const path of Object.keys(files)) rmSync(join(synced.folder, path));
    expect(await synced.sync({ allowEmpty: true })).toMatchObject({ taken: { removed: 3 }, settled: true });
    expect(await workspaceFiles(synced.call)).toEqual({});
  });

  it('[SYNC-20] of all but one, or of two, are taken as they are', async () => {
    for (const files of [
      { 'A.md': 'a', 'B.md': 'b', 'C.md': 'c', 'D.md': 'd' },
      { 'A.md': 'a', 'B.md': 'b' },
    ]) {
      const synced = await settled(files);
      const gone = Object.keys(files).filter((path) => path !== 'D.md');
      for (const path of gone) rmSync(join(synced.folder, path));
      expect(await synced.sync()).toMatchObject({ taken: { removed: gone.length }, settled: true });
    }
  });

  it('[SYNC-05] lose against an edit on the other side', async () => {
    const synced = await settled({ 'A.md': 'a', 'B.md': 'b' });
    rmSync(join(synced.folder, 'A.md'));
    await edit(synced, 'a', 'a, edited');
    synced.write({ 'B.md': 'b, edited' });
    await synced.call('delete_page', { page: 'b' });
    await synced.sync();
    const wanted = { 'A.md': 'a, edited', 'B.md': 'b, edited' };
    expect(await workspaceFiles(synced.call)).toEqual(wanted);
    expect([synced.read('A.md'), synced.read('B.md')]).toEqual(Object.values(wanted));
  });
});

describe('moves', () => {
  it('[SYNC-06] of a file keep its page and rewrite nothing', async () => {
    const synced = await settled({ 'Old.md': 'old', 'Links.md': '[[Old]]', 'Case.md': 'case' });
    const ids = [await idOf(synced, 'old'), await idOf(synced, 'case')];
    mkdirSync(join(synced.folder, 'Sub'));
    renameSync(join(synced.folder, 'Old.md'), join(synced.folder, 'Sub', 'New.md'));
    renameSync(join(synced.folder, 'Case.md'), join(synced.folder, 'case.md'));
    expect(await synced.sync()).toMatchObject({
      taken: { moved: 2, created: 0, removed: 0 },
      written: NOTHING,
    });
    expect([await idOf(synced, 'sub/new'), await idOf(synced, 'case')]).toEqual(ids);
    expect(synced.read('Links.md')).toBe('[[Old]]');
    expect((await synced.call('read_page', { page: 'case' })).title).toBe('case');
  });

  it('[SYNC-06] of a file that was also edited keep its page, and files may change places', async () => {
    const synced = await settled({ 'A.md': 'of A\n', 'B.md': 'of B\n', 'C.md': 'of C\n' });
    const ids = await Promise.all(['a', 'b', 'c'].map((page) => idOf(synced, page)));
    renameSync(join(synced.folder, 'C.md'), join(synced.folder, 'D.md'));
    writeFileSync(join(synced.folder, 'D.md'), 'of C, edited\n');
    await synced.sync();
    expect(await idOf(synced, 'd')).toBe(ids[2]);
    expect((await synced.call('read_page', { page: 'd' })).content).toBe('of C, edited\n');
    // Both names are known, so two changed texts are seen, and nothing is lost by that.
    renameSync(join(synced.folder, 'A.md'), join(synced.folder, 'x'));
    renameSync(join(synced.folder, 'B.md'), join(synced.folder, 'A.md'));
    renameSync(join(synced.folder, 'x'), join(synced.folder, 'B.md'));
    await synced.sync();
    expect(await workspaceFiles(synced.call)).toMatchObject({ 'A.md': 'of B\n', 'B.md': 'of A\n' });
  });

  it('[SYNC-06] of a page take its file along, with the links that the workspace rewrote', async () => {
    const synced = await settled({ 'Old.md': 'old', 'Links.md': '[[Old]] and text', 'Dir/Child.md': 'c' });
    age(synced.folder);
    await synced.sync();
    await synced.call('rename_page', { page: 'old', title: 'New' });
    await synced.call('move_page', { page: 'dir/child', parent: 'new' });
    const report = await synced.sync();
    expect(report).toMatchObject({ taken: NOTHING, written: { moved: 2, updated: 1 }, conflicts: [] });
    expect(synced.paths()).toEqual(['Links.md', 'New.md', 'New/Child.md']);
    expect(synced.read('Links.md')).toBe('[[New]] and text');
    expect(statSync(join(synced.folder, 'New.md')).mtimeMs).toBe(1_000_000_000_000);
    expect(existsSync(join(synced.folder, 'Dir'))).toBe(false);
  });

  it('[SYNC-06] of pages may exchange names, and the workspace says where both moved', async () => {
    const synced = await settled({ 'A.md': 'of A', 'B.md': 'of B', 'C.md': 'of C' });
    await synced.call('rename_page', { page: 'a', title: 'X' });
    await synced.call('rename_page', { page: 'b', title: 'A' });
    await synced.call('rename_page', { page: 'x', title: 'B' });
    await synced.call('rename_page', { page: 'c', title: 'Page side' });
    renameSync(join(synced.folder, 'C.md'), join(synced.folder, 'File side.md'));
    expect(await synced.sync()).toMatchObject({ conflicts: [], settled: true });
    const wanted = { 'A.md': 'of B', 'B.md': 'of A', 'Page side.md': 'of C' };
    expect(await workspaceFiles(synced.call)).toEqual(wanted);
    expect(Object.fromEntries(synced.paths().map((path) => [path, synced.read(path)]))).toEqual(wanted);
  });

  it('[SYNC-07] treat a folder and its note as one page, whichever goes', async () => {
    const synced = await settled({
      'Plan.md': 'plan',
      'Plan/Step.md': 'step',
      'Loose/Leaf.md': 'leaf',
      'N.md': 'n',
    });
    const step = await idOf(synced, 'plan/step');
    rmSync(join(synced.folder, 'Plan.md'));
    synced.write({ 'Loose.md': 'note of the folder' });
    await synced.sync();
    expect(synced.paths()).toEqual(['Loose.md', 'Loose/Leaf.md', 'N.md', 'Plan/Step.md']);
    expect([
      await idOf(synced, 'plan/step'),
      (await synced.call('read_page', { page: 'loose' })).content,
    ]).toEqual([step, 'note of the folder']);
    // A folder that moves without a note; one whose note moves away from it; one that goes as a whole.
    renameSync(join(synced.folder, 'Plan'), join(synced.folder, 'Project'));
    renameSync(join(synced.folder, 'Loose.md'), join(synced.folder, 'Tight.md'));
    expect(await synced.sync()).toMatchObject({ settled: true, conflicts: [] });
    const tree = await synced.call('get_page_tree', { depth: 9 });
    expect(titles(tree.tree)).toEqual(['Loose', 'Loose/Leaf', 'N', 'Project', 'Project/Step', 'Tight']);
    expect(await idOf(synced, 'project/step')).toBe(step);
    rmSync(join(synced.folder, 'Project'), { recursive: true });
    await synced.sync();
    expect(titles((await synced.call('get_page_tree', { depth: 9 })).tree)).toEqual([
      'Loose',
      'Loose/Leaf',
      'N',
      'Tight',
    ]);
  });

  const titles = (pages: unknown, above = ''): string[] =>
    (pages as { title: string; children?: unknown }[])
      .flatMap(({ title, children }) => [above + title, ...titles(children ?? [], `${above}${title}/`)])
      .sort();
});

describe('what is left alone', () => {
  it('[SYNC-09] is what cannot be read, and its pages stay', async () => {
    const synced = await settled({ 'Shut/A.md': 'a', 'B.md': 'b', 'Big.md': 'small', 'Link.md': 'real' });
    truncateSync(join(synced.folder, 'Big.md'), 101 * 1024 * 1024);
    renameSync(join(synced.folder, 'Shut'), join(synced.folder, '.sluice', 'elsewhere'));
    symlinkSync(join(synced.folder, '.sluice', 'elsewhere'), join(synced.folder, 'Shut'));
    const report = await synced.sync();
    expect(report.odd).toEqual(
      expect.arrayContaining([
        { path: 'Shut', problem: expect.stringContaining('symbolic link') },
        { path: 'Big.md', problem: expect.stringContaining('left out') },
      ]),
    );
    expect((await synced.call('read_page', { page: 'big' })).content).toBe('small');
    expect((await synced.call('read_page', { page: 'shut/a' })).content).toBe('a');
    expect(report.settled).toBe(true);
  });

  it('[SYNC-09] is what version control is just changing, and what is still being written', async () => {
    const synced = await settled({ 'A.md': 'a' });
    synced.write({ '.git/index.lock': '', 'A.md': 'half' });
    const going = synced.sync();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await synced.call('read_page', { page: 'a' })).content).toBe('a');
    synced.write({ 'A.md': 'whole' });
    rmSync(join(synced.folder, '.git'), { recursive: true });
    await going;
    expect((await synced.call('read_page', { page: 'a' })).content).toBe('whole');
    const history = (await synced.call('get_page_history', { page: 'a' })) as { events: unknown[] };
    expect(history.events).toHaveLength(2);
  });

  it.each([
    ['a checkout', true],
    ['somebody', false],
  ])('[SYNC-12] what %s puts where a new file was to come is no edit of it', async (_, isCheckout) => {
    const synced = await settled({ 'A.md': 'a' });
    await synced.call('create_page', { title: 'B', content: 'from the workspace\n' });
    let isTied = false;
    const call: SyncedFolder['call'] = async (tool, input) => {
      const answer = await synced.call(tool, input);
      const [file] = tool === 'sync_pages' ? (input as { files: { text?: string }[] }).files : [];
      if (!file || file.text !== undefined || isTied) return answer;
      isTied = true;
      if (isCheckout) {
        synced.write({ '.git/index.lock': '' });
        setTimeout(() => rmSync(join(synced.folder, '.git'), { recursive: true }), 300);
      }
      synced.write({ 'B.md': 'from outside\n' });
      return answer;
    };
    const { conflicts } = await synced.sync({}, call);
    expect(isTied).toBe(true);
    expect(conflicts).toMatchObject([{ path: 'B.md' }]);
    expect(synced.read('B.md')).toBe('from the workspace\n');
    const texts = Object.values(await workspaceFiles(synced.call));
    expect(texts.sort()).toEqual(['a', 'from outside\n', 'from the workspace\n']);
  });

  it('[SYNC-12] what an editor puts back in the moment in which the file is written anew is merged', async () => {
    const synced = await settled({ 'A.md': 'one\n\ntwo\n' });
    rmSync(join(synced.folder, 'A.md'));
    await edit(synced, 'a', 'one\n\ntwo\n\nby the agent\n');
    let isBack = false;
    const call: SyncedFolder['call'] = async (tool, input) => {
      const answer = await synced.call(tool, input);
      if (tool !== 'sync_pages' || isBack) return answer;
      isBack = true;
      synced.write({ 'A.md': 'by hand\n\none\n\ntwo\n' });
      return answer;
    };
    await synced.sync({}, call);
    expect(isBack).toBe(true);
    expect(synced.read('A.md')).toBe('by hand\n\none\n\ntwo\n\nby the agent\n');
    expect((await synced.call('read_page', { page: 'a' })).content).toBe(synced.read('A.md'));
  });

  it('[SYNC-09] are names that a scan would not see, and bytes that are no text', async () => {
    const synced = await settled({ 'N.md': 'text' });
    const { id } = await synced.call('create_page', { title: 'node_modules', content: '' });
    await synced.call('create_page', { title: 'Below', content: 'below', parent: id });
    synced.write({ 'N.md': Buffer.from([0x74, 0xe9]) });
    await synced.sync();
    await synced.sync();
    expect((await synced.call('read_page', { page: 'node_modules/below' })).content).toBe('below');
    expect(synced.paths()).toEqual(['N.md']);
    expect(readFileSync(join(synced.folder, 'N.md'))).toEqual(Buffer.from([0x74, 0xe9]));
    expect((await synced.call('list_attachments', {})).files).toMatchObject([{ path: 'N.md', size: 2 }]);
    synced.write({ 'N.md': 'text again' });
    await synced.sync();
    expect(await workspaceFiles(synced.call)).toMatchObject({ 'N.md': 'text again' });
  });
});

describe('a folder', () => {
  it('[SYNC-10] has one sync at a time', async () => {
    const synced = await settled({ 'A.md': 'a' });
    synced.write({ '.git/index.lock': '' });
    const first = synced.sync();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(synced.sync()).rejects.toMatchObject({ code: 'conflict', details: { reason: 'locked' } });
    rmSync(join(synced.folder, '.git'), { recursive: true });
    await first;
    expect((await synced.sync()).settled).toBe(true);
  });

  it('[SYNC-10] has one workspace, and is neither a home nor around one', async () => {
    const [synced, other] = [await settled({ 'A.md': 'a' }), await fresh()];
    await expect(other.sync({ folder: synced.folder })).rejects.toMatchObject({
      code: 'conflict',
      details: { reason: 'other_workspace' },
    });
    expect(await workspaceFiles(other.call)).toEqual({});
    for (const folder of [synced.home, join(synced.home, '..'), join(temporaryFolder(), 'nowhere')])
      await expect(synced.sync({ folder })).rejects.toMatchObject({ code: 'invalid_input' });
    writeFileSync(join(synced.folder, '.sluice', 'sync.json'), '{"version":1}');
    await expect(synced.sync()).rejects.toMatchObject({ code: 'integrity_failed' });
  });
});
