/** Every table is looked at through the caller's sight, or has nothing to do with pages. */
import type { Dialect } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice } from '../../src/app/create-sluice.ts';
import { VEILED_TABLES } from '../../src/drivers/store/veiled-tables.ts';
import { postgresVeiling, sqliteVeiling } from '../../src/drivers/store/veiling.ts';
import { onEachStore } from '../support/each-store.ts';
import { openRawDatabase, type RawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Tables that need no veil, and why. */
const NEED_NONE: Readonly<Record<string, string>> = {
  governance: 'no page in it',
  credential: 'no page in it',
  role: 'no page in it',
  access_rule: 'no page in it',
  removed_rule: 'no page in it',
  setting: 'no page in it',
  audit_segment: 'only for who has the scope audit.read',
  approval: 'calls that wait for a yes; only for who decides about them',
  provider: 'no page in it',
  provider_move: 'no page in it',
  provider_version: 'no page in it',
  credential_slot: 'no page in it',
  credential_slot_version: 'no page in it',
  memory_vector: 'of memory items, which are no pages',
  audit: 'only for who has the scope audit.read',
  read_trail: 'what a run has read itself; never answered',
  kept_result: 'what the same caller was answered before',
  kept_answer: 'no page in it; only for whom it was kept',
  workspace: 'one row; its number of events is said to show',
  page_search: 'nobody who looks through a veil searches by it',
  page_search_token: 'words without pages; whether one counts is asked of pages that are seen',
  page_vocabulary: 'joined with pages wherever it is read',
  attribution:
    'who did something, reached by way of blocks; its sources are looked up as pages before they are shown',
  idle_blob: 'digests of bytes that nothing refers to',
  semantic_progress: 'how far the index is, in numbers of events',
  memory_run: 'no page in it',
  kysely_migration: 'no page in it',
  kysely_migration_lock: 'no page in it',
};

const isInternal = (name: string): boolean => /^(sqlite_|page_search_)/.test(name);

onEachStore('tables', (under) => {
  const home = temporaryFolder();
  let database: RawDatabase | undefined;
  beforeAll(async () => {
    if (!under.available()) return;
    await (await createSluice({ home, config: under.config() })).close();
    database = await openRawDatabase(home, under.config());
  });
  afterAll(() => database?.close());

  const all = <Row>(text: string): Promise<Row[]> => (database as RawDatabase).all<Row & object>(text);

  it('[PERM-21] are veiled or said not to need it', async () => {
    const names = await all<{ name: string }>(
      under.kind === 'sqlite'
        ? `select name from sqlite_schema where type = 'table'`
        : `select table_name as name from information_schema.tables where table_schema = current_schema()`,
    );
    const known = [...Object.keys(VEILED_TABLES), ...Object.keys(NEED_NONE)];
    const unknown = names
      .map(({ name }) => name)
      .filter((name) => !known.includes(name) && !isInternal(name));
    expect(unknown).toEqual([]);
    const tables = new Set(names.map(({ name }) => name));
    const common = Object.keys(VEILED_TABLES).filter((name) => !['page_term', 'search_total'].includes(name));
    expect(common.filter((name) => !tables.has(name))).toEqual([]);
  });

  it('[PERM-21] have the same columns through a veil', async () => {
    const veiling = under.kind === 'sqlite' ? sqliteVeiling : postgresVeiling;
    const given = veiling({} as Dialect, () => 'public');
    const veilless = `veil_hidden (id) as (select '')`;
    for (const [name, view] of Object.entries(VEILED_TABLES)) {
      if (under.kind === 'sqlite' && ['page_term', 'search_total'].includes(name)) continue;
      const own = (table: string): string => `${under.kind === 'sqlite' ? 'main' : 'public'}.${table}`;
      // As many columns, in the same order of types: else a union of the two does not compile.
      const veiled = `with ${veilless}, veiled as (${view(own, given)}) select * from veiled`;
      await expect(all(`${veiled} union all select * from ${own(name)} where 1 = 0`)).resolves.toBeDefined();
    }
  });
});
