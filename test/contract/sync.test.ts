/** A folder and the workspace kept equal, on both stores. */
import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectConsistent } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { age, type SyncedFolder, syncedFolder, workspaceFiles } from '../support/synced-folder.ts';

/** Keeps the owner's folder, and is none that may take away by itself. */
const BOT = { name: 'bot', kind: 'author', role: 'owner', origin: 'agent-produced' } as const;

onEachStore('a sync', (under) => {
  let synced: SyncedFolder;
  beforeAll(async () => {
    if (!under.available()) return;
    const files = {
      'A.md': 'One.\n\nTwo.\n',
      'Plan.md': 'plan [[A]]\r\n',
      'Plan/Step.md': 'step',
      'pic.png': 'png',
    };
    synced = await syncedFolder(files, under.config());
    await synced.call('create_page', { title: 'Mine', content: 'mine' });
  });
  afterAll(async () => {
    await synced?.sluice.close();
    if (under.available()) await expectConsistent(synced.home, under.config());
  });

  const settle = async (): Promise<void> => {
    age(synced.folder);
    expect((await synced.sync()).settled).toBe(true);
    const there = await workspaceFiles(synced.call);
    expect(Object.keys(there).sort()).toEqual(synced.paths());
    for (const [path, text] of Object.entries(there))
      if (path.endsWith('.md')) expect([path, synced.read(path)]).toEqual([path, text]);
    expect(await synced.plan()).toEqual([]);
  };
  const edit = async (page: string, content: string): Promise<void> => {
    const { version } = await synced.call('read_page', { page });
    await synced.call('update_page_content', { page, content, base_version: version });
  };

  it('[SYNC-01] brings both sides to the union of what they had', async () => {
    await settle();
    expect(synced.read('Mine.md')).toBe('mine');
    expect((await synced.call('read_page', { page: 'plan/step' })).content).toBe('step');
  });

  it('[SYNC-03] merges what both changed by blocks', async () => {
    synced.write({ 'A.md': 'One!\n\nTwo.\n' });
    await edit('a', 'One.\n\nTwo?\n');
    await settle();
    expect(synced.read('A.md')).toBe('One!\n\nTwo?\n');
  });

  it('[SYNC-06] follows moves and renames of either side, with their links', async () => {
    renameSync(join(synced.folder, 'Mine.md'), join(synced.folder, 'Plan', 'Mine.md'));
    await synced.call('rename_page', { page: 'a', title: 'Beta' });
    await settle();
    expect(synced.read('Plan.md')).toBe('plan [[Beta]]\r\n');
    expect((await synced.call('read_page', { page: 'plan/mine' })).content).toBe('mine');
  });

  it('[SYNC-05] takes away on one side what is gone on the other', async () => {
    rmSync(join(synced.folder, 'Plan', 'Step.md'));
    rmSync(join(synced.folder, 'pic.png'));
    await synced.call('delete_page', { page: 'beta' });
    await settle();
    expect(existsSync(join(synced.folder, 'Beta.md'))).toBe(false);
    await expect(synced.call('read_page', { page: 'plan/step' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('[SYNC-05] leaves and brings back what is edited while it is about to go', async () => {
    synced.write({ 'Race.md': 'race', 'race.bin': 'old' });
    await settle();
    for (const path of ['Race.md', 'race.bin']) rmSync(join(synced.folder, path));
    const digest = `sha256:${createHash('sha256').update('new').digest('hex')}`;
    const racing: SyncedFolder['call'] = async (tool, ...rest) => {
      if (tool === 'remove_files' && !synced.paths().includes('Race.md')) {
        await edit('race', 'race since');
        await synced.call('upload_blobs', { blobs: [Buffer.from('new').toString('base64')] });
        const files = [{ path: 'race.bin', digest, size: 3, parts: [digest] }];
        await synced.call('import_attachments', { files });
      }
      return synced.call(tool, ...rest);
    };
    expect((await synced.sync({}, racing)).taken.removed).toBe(0);
    await settle();
    expect([synced.read('Race.md'), synced.read('race.bin')]).toEqual(['race since', 'new']);
  });

  it('[SYNC-19] asks once for what who syncs may not take away, and goes by the answer', async () => {
    synced.write({ 'Keep.md': 'keep', 'Drop.md': 'drop ![[drop.png]]', 'drop.png': 'drop' });
    await settle();
    const { call } = synced.sluice.as(BOT);
    const pending = async (): Promise<string[]> => {
      const { proposals } = await synced.call('list_proposals', {});
      return (proposals as { id: string; op: string }[])
        .filter(({ op }) => op === 'remove_files')
        .map(({ id }) => id);
    };
    const odd = async (): Promise<string[]> =>
      (await synced.sync({}, call)).odd
        .filter(({ problem }) => problem.includes('waits for an author'))
        .map(({ path }) => path)
        .sort();
    for (const path of ['Drop.md', 'drop.png']) rmSync(join(synced.folder, path));
    for (const _ of ['first', 'again']) {
      expect(await odd()).toEqual(['Drop.md', 'drop.png']);
      expect((await synced.call('read_page', { page: 'drop' })).content).toContain('drop');
      expect(await pending()).toHaveLength(1);
    }
    const [drop] = await pending();
    rmSync(join(synced.folder, 'Keep.md'));
    expect(await odd()).toEqual(['Drop.md', 'Keep.md', 'drop.png']);
    const keep = (await pending()).find((id) => id !== drop);
    await synced.call('accept_proposal', { proposal: drop });
    await synced.call('reject_proposal', { proposal: keep });
    expect(await odd()).toEqual([]);
    expect(synced.paths()).toContain('Keep.md');
    await settle();
    expect(synced.paths().filter((path) => /drop/i.test(path))).toEqual([]);
  });

  it('[SYNC-19] goes on with the rest where something may not go at all', async () => {
    synced.write({ 'one.bin': 'one', 'two.bin': 'two' });
    await settle();
    const { call } = synced.sluice.as(BOT);
    await edit('keep', 'kept');
    for (const path of ['one.bin', 'two.bin']) rmSync(join(synced.folder, path));
    const { odd, written } = await synced.sync({}, call);
    expect(odd.map(({ path }) => path)).toEqual(expect.arrayContaining(['one.bin', 'two.bin']));
    expect(written).toMatchObject({ updated: 1 });
    // The owner's folder lost them, and so does the workspace.
    await settle();
    expect(await workspaceFiles(synced.call)).not.toHaveProperty(['one.bin']);
  });
});
