/** A sync that goes on: it notices what happens on both sides, and a server may come and go. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { type RunningSync, startSync } from '../../support/sync-process.ts';
import { writeFiles } from '../../support/synced-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000 });

const [folder, home] = [temporaryFolder('sluice-folder-'), temporaryFolder()];
let server: RunningServer | undefined;
let sync: RunningSync | undefined;
afterAll(async () => {
  await sync?.kill('SIGKILL');
  await server?.kill('SIGKILL');
});

const until = (wish: () => unknown): Promise<void> =>
  vi.waitFor(async () => expect(await wish()).toBeTruthy(), { timeout: 45_000, interval: 50 });

const textOf = (path: string): string =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';

const contentOf = async (page: string): Promise<string> =>
  String((await asOwner(home, 'read_page', { page }).catch(() => undefined))?.content ?? '');

it('[SYNC-17] notices what changes on both sides, in new folders too, without being asked', async () => {
  writeFiles(folder, { 'A.md': 'a' });
  server = await startServer(home);
  sync = startSync(home, folder);
  await sync.ready();
  expect(await contentOf('a')).toBe('a');
  const begun = (await auditOf('list_page_files')).length;
  await asOwner(home, 'create_page', { title: 'B', content: 'b' });
  await until(() => textOf('B.md') === 'b');
  mkdirSync(join(folder, 'New'));
  await until(() => sync?.output());
  writeFileSync(join(folder, 'New', 'C.md'), 'c');
  await until(async () => (await contentOf('new/c')) === 'c');
  writeFileSync(join(folder, 'New', 'C.md'), 'c2');
  await until(async () => (await contentOf('new/c')) === 'c2');
  rmSync(join(folder, 'A.md'));
  await until(async () => (await contentOf('a')) === '');
  // It is told, it does not ask again and again.
  expect((await auditOf('list_page_files')).length - begun).toBeLessThan(60);
});

it('[SYNC-10] and nobody else gets the folder', async () => {
  const second = await runSluice(home, ['sync', folder, '--once', '--json']);
  expect([second.code, JSON.parse(second.stderr).error.reason]).toEqual([5, 'locked']);
});

it('[SYNC-17] outlives a server that is killed and comes back, and ends with what it was doing when it is told to', async () => {
  await server?.kill('SIGKILL');
  writeFileSync(join(folder, 'While gone.md'), 'still here');
  server = await startServer(home);
  await until(async () => (await contentOf('while gone')) === 'still here');
  await asOwner(home, 'create_page', { title: 'After', content: 'after' });
  await until(() => textOf('After.md') === 'after');
  await sync?.kill('SIGTERM');
  expect(sync?.process.exitCode).toBe(0);
  expect(await sluiceJson(home, 'sync', folder, '--once')).toMatchObject({ settled: true, conflicts: [] });
});

async function auditOf(tool: string): Promise<readonly unknown[]> {
  const { records } = await sluiceJson<{ records: unknown[] }>(
    home,
    'audit',
    'list',
    '--tool',
    tool,
    '--limit',
    '500',
  );
  return records;
}
