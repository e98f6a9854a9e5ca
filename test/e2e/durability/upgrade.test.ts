/** A home of today opened by a later Sluice: backed up first, upgraded whole or not at all. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { composeApp } from '../../../src/app/compose.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import type { SchemaChange } from '../../../src/drivers/store/migrate.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { contentOf, killOnce } from '../../support/drill.ts';
import { onEachStore, type StoreUnderTest } from '../../support/each-store.ts';
import { FAILING, LATER, upTo } from '../../support/later-schema.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { findPostgres } from '../../support/postgres-broker.ts';
import { runSluice, sluiceJson } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 1_800_000 : 240_000 });

const UPGRADE = fileURLToPath(new URL('../../support/upgrade-home.ts', import.meta.url));
const ROUNDS = times(5, 50);

async function openWith(home: string, schema: readonly SchemaChange[], config = {}): Promise<void> {
  const app = await composeApp({ home, config: loadConfig(home, {}, config).config, log: silentLog, schema });
  await app.close();
}

it('[DUR-25] an upgrade backs the home up first, says where, and the older Sluice can have it back', async () => {
  const home = temporaryFolder();
  await sluiceJson(home, 'page', 'create', 'Alpha', '--content', 'Kept.');
  const before = await contentOf(home);
  const { stdout } = await promisify(execFile)(process.execPath, [UPGRADE, home]);
  const backup = join(homeLayout(home).upgrades, 'before-9001_later');
  expect(stdout).toMatch(
    /"backed_up_before_upgrade","path":"[^"]+before-9001_later"[\s\S]*"schema_upgraded"[\s\S]*upgraded\n$/,
  );
  const refused = await runSluice(home, ['page', 'read', 'alpha']);
  expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('newer Sluice')]);
  await sluiceJson(home, 'restore', backup, '--yes');
  expect(await contentOf(home)).toEqual(before);
  expect((await runSluice(home, ['page', 'read', 'alpha'])).stdout).toBe('Kept.');
  expect(await sluiceJson(home, 'audit', 'verify')).toMatchObject({ ok: true });
});

it('[DUR-25] a new home and one that is up to date are not backed up, and of many only the newest are kept', async () => {
  const home = temporaryFolder();
  await openWith(home, upTo(1));
  await openWith(home, upTo(1));
  expect(existsSync(homeLayout(home).upgrades)).toBe(false);
  for (const count of [2, 3, 4, 5, 6]) await openWith(home, upTo(count));
  expect(readdirSync(homeLayout(home).upgrades).sort()).toEqual([
    'before-9004_step',
    'before-9005_step',
    'before-9006_step',
  ]);
});

onEachStore('an upgrade', (under) => {
  async function place(): Promise<{ home: string; own: StoreUnderTest; drop: () => Promise<void> }> {
    const home = temporaryFolder();
    if (under.kind === 'sqlite') return { home, own: under, drop: async () => undefined };
    const { url, drop } = await freshDatabase((await findPostgres()).url ?? '');
    return {
      home,
      drop,
      own: {
        ...under,
        config: () => ({ 'store.kind': 'postgres', 'store.url': url }),
        environment: () => ({ SLUICE_STORE: 'postgres', SLUICE_STORE_URL: url }),
      },
    };
  }

  const madeTables = (home: string, own: StoreUnderTest): Promise<number> =>
    withRawDatabase(home, own.config(), async (database) => {
      const rows = await database.all(
        under.kind === 'sqlite'
          ? `select name from sqlite_master where name like 'later%'`
          : `select table_name from information_schema.tables where table_name like 'later%'`,
      );
      return rows.length;
    });

  it('[DUR-26] that fails leaves the home to the older Sluice', async () => {
    const { home, own, drop } = await place();
    const env = own.environment();
    expect(await runSluice(home, ['page', 'create', 'Alpha'], { env })).toMatchObject({ code: 0 });
    for (const _ of [1, 2])
      await expect(openWith(home, FAILING, own.config())).rejects.toMatchObject({ code: 'unavailable' });
    expect(await madeTables(home, own)).toBe(0);
    expect(await runSluice(home, ['page', 'create', 'Beta'], { env })).toMatchObject({ code: 0 });
    expect(await runSluice(home, ['audit', 'verify'], { env })).toMatchObject({ code: 0 });
    await openWith(home, LATER, own.config());
    await drop();
  });

  it(`[DUR-27] that is killed leaves the old or the new schema, and the next start ends it, ${ROUNDS} times`, async () => {
    const random = randomFor(`upgrade on ${under.kind}`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { home, own, drop } = await place();
      const env = own.environment();
      expect(await runSluice(home, ['page', 'create', 'Alpha'], { env })).toMatchObject({ code: 0 });
      const child = spawn(process.execPath, [UPGRADE, home], {
        env: { ...process.env, ...env },
        stdio: 'ignore',
      });
      // The backup before it is the first to be seen; PostgreSQL makes its own.
      const { upgrades } = homeLayout(home);
      if (under.kind === 'sqlite') await killOnce(child, () => existsSync(upgrades), random.between(0, 250));
      else await killOnce(child, () => true, random.between(200, 1_200));
      expect([0, 150]).toContain(await madeTables(home, own));
      await openWith(home, LATER, own.config());
      expect(await madeTables(home, own)).toBe(150);
      const pages = await withRawDatabase(home, own.config(), (database) =>
        database.all<{ title: string; later: null }>('select title, later from page'),
      );
      expect(pages).toEqual([{ title: 'Alpha', later: null }]);
      if (under.kind === 'sqlite')
        expect(readdirSync(homeLayout(home).upgrades)).toEqual(expect.arrayContaining(['before-9001_later']));
      await drop();
    }
  });
});
