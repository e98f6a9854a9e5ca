/** Tries to make a sync write, read or delete outside of its folder, hang, or overwrite: by names, links and odd files. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdFolder } from '../../src/app/sync/within-folder.ts';
import { times } from '../support/random.ts';
import { pathsIn, type SyncedFolder, syncedFolder, workspaceFiles } from '../support/synced-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const open: SyncedFolder[] = [];
afterAll(() => Promise.all(open.map(({ sluice }) => sluice.close())));

async function settled(files: Readonly<Record<string, string>>): Promise<SyncedFolder> {
  const synced = await syncedFolder(files);
  open.push(synced);
  await synced.sync();
  return synced;
}

async function edit({ call }: SyncedFolder, page: string, content: string): Promise<void> {
  const { version } = await call('read_page', { page });
  await call('update_page_content', { page, content, base_version: version });
}

describe('titles', () => {
  const TITLES = [
    '../../outside',
    '/etc/outside',
    '..',
    '.git',
    '.sluice',
    'C:\\outside',
    'con',
    'nul.md',
    'a/../../b',
    'trailing. ',
    '.hidden',
    'x'.repeat(300),
    '😀'.repeat(90),
    'new\u2028line',
    '__proto__',
  ];
  let synced: SyncedFolder;
  beforeAll(async () => {
    synced = await settled({ 'A.md': 'a' });
    for (const title of TITLES)
      await synced.call('create_page', { title, content: `of ${title}` }).catch(() => undefined);
    await synced.sync();
  });

  it('[SYNC-13] of pages lead nowhere but into the folder, under names every system can have', () => {
    const paths = pathsIn(synced.folder);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      expect(path).not.toMatch(/[\\:*?"<>|\p{Cc}]|(^|\/)\.|[. ]\.md$|^(con|nul)\./iu);
      expect(Buffer.byteLength(path)).toBeLessThanOrEqual(255);
    }
    expect(readdirSync(join(synced.folder, '..')).filter((name) => name.includes('outside'))).toEqual([]);
    expect(existsSync('/etc/outside.md')).toBe(false);
  });

  it('[SYNC-13] and what was written stays what it was', async () => {
    expect(await synced.sync()).toMatchObject({
      taken: { created: 0, removed: 0, updated: 0 },
      settled: true,
    });
    const pages = await workspaceFiles(synced.call);
    expect(Object.fromEntries(pathsIn(synced.folder).map((path) => [path, synced.read(path)]))).toEqual(
      pages,
    );
  });
});

it('[SYNC-13] a link in the place of a folder is not written through, nor its absence taken for a deletion', async () => {
  const [synced, outside] = [await settled({ 'Sub/A.md': 'a', 'Sub/B.md': 'b' }), temporaryFolder()];
  writeFileSync(join(outside, 'A.md'), 'victim');
  renameSync(join(synced.folder, 'Sub'), join(synced.folder, 'Was'));
  rmSync(join(synced.folder, 'Was'), { recursive: true });
  symlinkSync(outside, join(synced.folder, 'Sub'));
  await edit(synced, 'sub/a', 'written through');
  await synced.call('create_page', { title: 'C', content: 'c', parent: 'sub' });
  await synced.call('delete_page', { page: 'sub/b' });
  await synced.sync();
  expect(readdirSync(outside)).toEqual(['A.md']);
  expect(readFileSync(join(outside, 'A.md'), 'utf8')).toBe('victim');
  expect((await synced.call('read_page', { page: 'sub/a' })).content).toBe('written through');
});

it.runIf(process.platform === 'linux')(
  '[SYNC-13] nor is one that takes the place in the very moment, for reading or for writing',
  async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(join(folder, 'A', 'Sub'), { recursive: true });
    writeFileSync(join(outside, 'secret.md'), 'secret');
    const held = await holdFolder(folder, 'A/Sub/x.md', { make: false });
    if (typeof held === 'string') throw new Error(held);
    renameSync(join(folder, 'A'), join(folder, 'Was'));
    mkdirSync(join(folder, 'A'));
    symlinkSync(outside, join(folder, 'A', 'Sub'));
    writeFileSync(held.at('x.md'), 'x');
    expect(() => readFileSync(held.at('secret.md'))).toThrow('ENOENT');
    await held.close();
    expect([readdirSync(outside), readdirSync(join(folder, 'Was', 'Sub'))]).toEqual([
      ['secret.md'],
      ['x.md'],
    ]);
    expect(await holdFolder(folder, 'A/Sub/x.md', { make: true })).toBe('"A/Sub" is not a folder');
    expect(await holdFolder(folder, 'A/Sub/New/x.md', { make: true })).toBe('"A/Sub/New" is not a folder');
  },
);

it('[SYNC-13][SYNC-09] a pipe and a folder called like a note do not stop it', async () => {
  const synced = await settled({ 'A.md': 'a', 'B.md': 'b' });
  rmSync(join(synced.folder, 'A.md'));
  mkdirSync(join(synced.folder, 'A.md'));
  writeFileSync(join(synced.folder, 'A.md', 'Inside.md'), 'inside');
  execFileSync('mkfifo', [join(synced.folder, 'Pipe.md')]);
  await edit(synced, 'b', 'b2');
  const report = await synced.sync();
  expect(report.odd).toContainEqual({ path: 'Pipe.md', problem: 'neither a file nor a folder' });
  expect(report.settled).toBe(true);
  expect(await workspaceFiles(synced.call)).toEqual({ 'A.md/Inside.md': 'inside', 'B.md': 'b2' });
  // The other way round, something stands where a file is to be written.
  await synced.call('create_page', { title: 'Pipe', content: 'p' });
  mkdirSync(join(synced.folder, 'Taken.md'));
  await synced.call('create_page', { title: 'Taken', content: 't' });
  expect((await synced.sync()).odd).toContainEqual({
    path: 'Taken.md',
    problem: 'something else stands there',
  });
  expect((await synced.call('read_page', { page: 'pipe' })).content).toBe('p');
  expect((await synced.call('read_page', { page: 'taken' })).content).toBe('t');
});

it('[SYNC-13] a side folder that leads elsewhere is refused, and forged agreements delete nothing outside', async () => {
  const [synced, outside] = [await settled({ 'A.md': 'a' }), temporaryFolder()];
  const side = join(synced.folder, '.sluice', 'sync.json');
  writeFileSync(join(outside, 'victim.md'), 'a');
  const agreement = JSON.parse(readFileSync(side, 'utf8'));
  const [, tied] = agreement.pages[0];
  const path = `../${outside.split('/').at(-1)}/victim.md`;
  agreement.pages.push(['00000000-0000-7000-8000-000000000000', { ...tied, path }]);
  agreement.files.push([path, { digest: tied.digest }]);
  writeFileSync(side, JSON.stringify(agreement));
  await synced.sync();
  expect(readFileSync(join(outside, 'victim.md'), 'utf8')).toBe('a');
  expect(synced.read('A.md')).toBe('a');
  renameSync(join(synced.folder, '.sluice'), join(outside, 'side'));
  symlinkSync(join(outside, 'side'), join(synced.folder, '.sluice'));
  await expect(synced.sync()).rejects.toMatchObject({ code: 'invalid_input' });
});

const MANY = times(300, 10_000);
it(`[SYNC-13][SYNC-01] ${MANY} files at once are one sync like any other`, { timeout: 600_000 }, async () => {
  const synced = await settled({});
  synced.write(
    Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`D ${i % 50}/N ${i}.md`, `note ${i}`])),
  );
  expect(await synced.sync()).toMatchObject({ taken: { created: MANY }, settled: true });
  expect(Object.keys(await workspaceFiles(synced.call))).toHaveLength(MANY);
  rmSync(synced.folder, { recursive: true });
  mkdirSync(synced.folder);
  // All gone, and what was agreed on with it: an empty folder is a new one, not a wish to delete everything.
  expect(await synced.sync()).toMatchObject({ taken: { removed: 0 }, written: { created: MANY } });
});
