/** Backups taken while everybody writes, put in place elsewhere: what was there is there, and proves itself. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import { checkDatabase } from '../../../src/drivers/store/sqlite/check.ts';
import { expectConsistent } from '../../support/check-consistency.ts';
import { contentOf } from '../../support/drill.ts';
import { connectHttp } from '../../support/mcp-clients.ts';
import { addClient } from '../../support/owner.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/timing.ts';
import { WriteLoad } from '../../support/write-load.ts';

vi.setConfig({ testTimeout: soaking ? 1_800_000 : 240_000 });

const ROUNDS = times(3, 25);

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

it(`[DUR-20] a backup made while others write restores to all that was acknowledged before it, ${ROUNDS} times`, async () => {
  const [home, place] = [temporaryFolder(), temporaryFolder()];
  server = await startServer(home);
  const token = await addClient(home, 'writer', { role: 'editor', origin: 'authored' });
  const load = new WriteLoad(randomFor('restore drill'));
  const done = new AbortController();
  const clients = await Promise.all([1, 2, 3].map(() => connectHttp(server?.url ?? '', token, 'modern')));
  const writing = clients.map((client, i) => load.writeWith(client, `c${i}`, done.signal));
  for (let round = 0; round < ROUNDS; round += 1) {
    await until(() => load.acknowledged.length > 30 * (round + 1));
    const before = load.acknowledged.filter(({ changed }) => changed).map(({ run }) => run);
    const [backup, other] = [join(place, `backup-${round}`), join(place, `home-${round}`)];
    await sluiceJson(home, 'backup', backup);
    await sluiceJson(other, 'restore', backup, '--yes');
    expect(checkDatabase(homeLayout(other).database)).toBeUndefined();
    expect(await sluiceJson(other, 'audit', 'verify')).toMatchObject({ ok: true, faults: [] });
    const kept = await withRawDatabase(other, {}, (database) =>
      database.all<{ run_id: string }>('select distinct run_id from event'),
    );
    const runs = new Set(kept.map(({ run_id }) => run_id.split('/').at(-1)));
    expect(before.filter((run) => !runs.has(run))).toEqual([]);
    await expectConsistent(other, {});
  }
  done.abort();
  await Promise.all(writing);
  await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
  expect(load.surprises).toEqual([]);
});

it('[DUR-21] a restored home has the same pages, links, search, token and clients, and its restore is recorded', async () => {
  const [home, place] = [temporaryFolder(), temporaryFolder()];
  const [backup, other] = [join(place, 'backup'), join(place, 'home')];
  writeFileSync(join(home, 'config.json'), '{"limits.list_page": 17}');
  for (const [title, content] of [
    ['Alpha', 'The first word is zebra. See [[Beta]] and [[Gone]].'],
    ['Beta', 'Back to [[Alpha]]. #tagged'],
    ['Gone', 'To the trash.'],
  ] as const)
    await sluiceJson(home, 'page', 'create', title, '--content', content);
  await sluiceJson(home, 'page', 'rename', 'beta', 'Gamma');
  await sluiceJson(home, 'page', 'delete', 'gone');
  await sluiceJson(home, 'client', 'add', 'alice', '--role', 'editor', '--expires', '30d');
  await sluiceJson(home, 'policy', 'deny', 'role:client', 'delete_page');
  await sluiceJson(home, 'backup', backup);
  expect(await sluiceJson(other, 'restore', backup)).toMatchObject({ restored: false });
  expect(existsSync(join(other, 'data'))).toBe(false);
  expect(await sluiceJson(other, 'restore', backup, '--yes')).toMatchObject({ restored: true, former: null });
  expect(await contentOf(other)).toEqual(await contentOf(home));
  expect(readFileSync(join(other, 'config.json'), 'utf8')).toBe('{"limits.list_page": 17}');
  for (const command of [
    ['token', 'show'],
    ['client', 'list'],
    ['policy', 'rules'],
    ['page', 'tree'],
    ['page', 'read', 'alpha'],
    ['page', 'links', 'alpha'],
    ['page', 'history', 'gamma'],
    ['page', 'trash'],
    ['search', 'zebra'],
  ])
    expect(await sluiceJson(other, ...command), command.join(' ')).toEqual(
      await sluiceJson(home, ...command),
    );
  const started = await sluiceJson<{ records: { note: string }[] }>(
    other,
    'audit',
    'list',
    '--kind',
    'writer_started',
    '--limit',
    '1',
  );
  expect(started.records[0]?.note).toContain('"restored"');
  expect((await runSluice(other, ['audit', 'verify'])).code).toBe(0);
});

it('[DUR-21] what was in the home before is kept beside it, whole', async () => {
  const [home, place] = [temporaryFolder(), temporaryFolder()];
  await sluiceJson(home, 'page', 'create', 'Before');
  await sluiceJson(home, 'backup', join(place, 'backup'));
  await sluiceJson(home, 'page', 'create', 'After');
  const { former } = await sluiceJson<{ former: string }>(home, 'restore', join(place, 'backup'), '--yes');
  expect((await runSluice(home, ['page', 'read', 'after'])).code).toBe(3);
  // The former data is a home's data folder: put back, it serves.
  const again = join(place, 'again');
  mkdirSync(again);
  cpSync(former, join(again, 'data'), { recursive: true });
  expect((await runSluice(again, ['page', 'read', 'after'])).code).toBe(0);
});

it('[DUR-22] a restore refuses a home in use, a damaged backup and what is none, and changes nothing', async () => {
  const [home, place] = [temporaryFolder(), temporaryFolder()];
  const backup = join(place, 'backup');
  await sluiceJson(home, 'page', 'create', 'Kept');
  await sluiceJson(home, 'backup', backup);
  const content = await contentOf(home);
  server = await startServer(home);
  const used = await runSluice(home, ['restore', backup, '--yes']);
  expect([used.code, used.stderr]).toEqual([
    6,
    expect.stringContaining('Another process has this home open'),
  ]);
  await server.stop();
  const damage: [string, () => void, RegExp][] = [
    ['an unknown file', () => writeFileSync(join(backup, 'more'), 'x'), /"more" does not belong/],
    ['a changed byte', () => flip(join(backup, 'sluice.db')), /"sluice.db" was changed/],
    ['a missing key', () => rmSync(join(backup, 'keys', 'master.key')), /"keys\/master.key" is missing/],
  ];
  for (const [name, harm, words] of damage) {
    rmSync(backup, { recursive: true });
    await sluiceJson(home, 'backup', backup);
    harm();
    for (const args of [[], ['--yes']]) {
      const ended = await runSluice(home, ['restore', backup, ...args]);
      expect([ended.code, ended.stderr], name).toEqual([8, expect.stringMatching(words)]);
    }
  }
  for (const none of [join(place, 'nowhere'), join(home, 'lock.db'), place]) {
    const ended = await runSluice(home, ['restore', none, '--yes']);
    expect([ended.code, ended.stderr], none).toEqual([
      2,
      expect.stringContaining('is not a backup of Sluice'),
    ]);
  }
  expect(await contentOf(home)).toEqual(content);
  expect(readdirSync(home).filter((name) => name.startsWith('data'))).toEqual(['data']);
  expect(existsSync(homeLayout(home).incoming)).toBe(false);
});

it('[DUR-22] a backup is refused where it cannot be, and leaves nothing', async () => {
  const [home, place] = [temporaryFolder(), temporaryFolder()];
  await sluiceJson(home, 'status');
  for (const [target, code] of [
    [place, 5],
    ['/proc/sluice/backup', 6],
    [join(home, 'lock.db', 'backup'), 6],
  ] as const) {
    const ended = await runSluice(home, ['backup', target]);
    expect([ended.code, ended.stderr], target).toEqual([code, expect.stringContaining(target)]);
  }
  const inside = await runSluice(home, ['backup', join(home, 'data', 'backup')]);
  expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('must lie outside of')]);
  expect(readdirSync(place)).toEqual([]);
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
