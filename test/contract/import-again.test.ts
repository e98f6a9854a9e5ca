/** A vault that is imported again after another folder was synced with the same pages, on both stores. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importFolder } from '../../src/app/import-folder.ts';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { age, type SyncedFolder, syncedFolder, writeFiles } from '../support/synced-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

onEachStore('importing a vault again', (under) => {
  let synced: SyncedFolder;
  beforeAll(async () => {
    if (under.available()) synced = await syncedFolder({}, under.config());
  });
  afterAll(async () => {
    await synced?.sluice.close();
    if (under.available()) await expectConsistent(synced.home, under.config());
  });

  const bringIn = async (files: Readonly<Record<string, string>>, canonical = true) => {
    const folder = temporaryFolder();
    writeFiles(folder, files);
    const wish = { folder, dialect: 'obsidian', canonical, dryRun: false } as const;
    return (await importFolder(synced.call, wish)).notes;
  };
  const sync = async (): Promise<void> => {
    age(synced.folder);
    expect((await synced.sync()).settled).toBe(true);
  };
  const text = async (page: string) => (await synced.call('read_page', { page })).content;
  const edit = async (page: string, find: string, content: string): Promise<void> => {
    const read = await synced.call('read_page', { page });
    const wanted = String(read.content).replace(find, content);
    await synced.call('update_page_content', { page, content: wanted, base_version: read.version });
  };

  it('[IMP-23] takes nothing back that was written in the workspace, whatever was synced since', async () => {
    const vault = { 'a.md': 'one\n' };
    await bringIn(vault);
    await edit('a', 'one', 'one, edited');
    expect(await bringIn(vault)).toMatchObject({ unchanged: 1 });
    await sync();
    expect(await bringIn(vault)).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await bringIn(vault, false)).toMatchObject({ unchanged: 1, proposed: 0 });
    expect(await text('a')).toBe('one, edited\n');
  });

  it('[IMP-23] nor what was written in a folder that is synced', async () => {
    const vault = { 'b.md': 'one\n' };
    await bringIn(vault);
    await sync();
    synced.write({ 'b.md': 'one, by hand\n' });
    await sync();
    expect(await bringIn(vault)).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await text('b')).toBe('one, by hand\n');
  });

  it('[IMP-23] merges what changed in the vault with what was written and synced since', async () => {
    await bringIn({ 'c.md': 'one\n\ntwo\n\nthree\n' });
    await edit('c', 'one', 'ONE');
    await sync();
    synced.write({ 'c.md': 'ONE\n\ntwo\n\nTHREE\n' });
    await sync();
    expect(await bringIn({ 'c.md': 'one\n\nTWO\n\nthree\n' })).toMatchObject({ updated: 1 });
    expect(await text('c')).toBe('ONE\n\nTWO\n\nTHREE\n');
    // And what the vault takes back goes, as it came from there.
    expect(await bringIn({ 'c.md': 'one\n\ntwo\n\nthree\n' })).toMatchObject({ updated: 1 });
    expect(await text('c')).toBe('ONE\n\ntwo\n\nTHREE\n');
  });

  it('[IMP-23] knows an old text of a page that only a sync had a file of', async () => {
    await synced.call('create_page', { title: 'd', content: 'one\n\ntwo\n' });
    await edit('d', 'one', 'ONE');
    await sync();
    expect(await bringIn({ 'd.md': 'one\n\ntwo\n' })).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await text('d')).toBe('ONE\n\ntwo\n');
    await bringIn({ 'd.md': 'one\n\nTWO\n' });
    expect(await text('d')).toBe('ONE\n\nTWO\n');
  });

  it('[IMP-23] and a synced folder that gets an old text back means it', async () => {
    await bringIn({ 'e.md': 'one\n' });
    await sync();
    await edit('e', 'one', 'two');
    await sync();
    expect(synced.read('e.md')).toBe('two\n');
    synced.write({ 'e.md': 'one\n' });
    await sync();
    expect(await text('e')).toBe('one\n');
    expect(synced.read('e.md')).toBe('one\n');
  });
});
