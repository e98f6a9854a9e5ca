/**
 * Everything that must hold between the tables of a home, checked on what lies on disk. Works on a stopped home and,
 * as long as nobody writes, on a running one. Use it after every test that treats a home roughly.
 */
import { expect } from 'vitest';
import type { Config } from '../../src/config/keys.ts';
import type { AuditReader } from '../../src/domain/governance/audit-log.ts';
import type { AuditRecord } from '../../src/domain/governance/audit-record.ts';
import { verifyAudit } from '../../src/domain/governance/verify-audit.ts';
import { openHeadFile } from '../../src/drivers/home/head-file.ts';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { openKeys } from '../../src/drivers/home/keys.ts';
import type { ReadScope } from '../../src/kernel/ports/unit-of-work.ts';
import { checkEvents } from './consistency/check-events.ts';
import { checkLinks } from './consistency/check-links.ts';
import { checkTexts } from './consistency/check-texts.ts';
import { checkTree } from './consistency/check-tree.ts';
import { readSnapshot, type Snapshot } from './consistency/snapshot.ts';
import { withRawDatabase } from './raw-database.ts';

/** What is wrong, in words; empty when nothing is. */
export async function findInconsistencies(home: string, config: Partial<Config>): Promise<string[]> {
  const heads = readHeads(home);
  const all = await withRawDatabase(home, config, readSnapshot);
  return [
    ...all.damage,
    ...checkTree(all),
    ...checkTexts(all),
    ...checkLinks(all),
    ...checkEvents(all),
    ...(await checkAudit(home, all, heads)),
  ];
}

export async function expectConsistent(home: string, config: Partial<Config>): Promise<void> {
  const problems = await findInconsistencies(home, config);
  expect(problems.slice(0, 20), `${problems.length} problems in the home`).toEqual([]);
}

/** Before the tables: a head that is signed later may be of a record that is not among them yet. */
function readHeads(home: string) {
  const { heads, keys } = homeLayout(home);
  const file = openHeadFile(heads, openKeys(keys));
  try {
    return { heads: file.heads(), publicKey: file.publicKey };
  } finally {
    file.close();
  }
}

async function checkAudit(
  home: string,
  all: Snapshot,
  { heads, publicKey }: ReturnType<typeof readHeads>,
): Promise<string[]> {
  const byWriter = Map.groupBy(all.audit, (record) => record.writer);
  const reader: Pick<AuditReader, 'writers' | 'chain'> = {
    writers: async () => [...byWriter.keys()],
    chain: async (_, writer, from, limit): Promise<readonly AuditRecord[]> =>
      (byWriter.get(writer) ?? []).filter((record) => record.sequence >= from).slice(0, limit),
  };
  const own = openKeys(homeLayout(home).keys).writer;
  const { faults } = await verifyAudit({ reader, publicKey, own }, {} as ReadScope, heads);
  return faults.map(({ writer, sequence, problem }) => `audit record ${sequence} of ${writer}: ${problem}`);
}
