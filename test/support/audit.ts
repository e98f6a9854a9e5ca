/** The audit log of a running Sluice as its owner reads it, oldest record first. */
import { asOwner } from './owner.ts';

export type AuditFacts = Readonly<Record<string, string | number | undefined>>;

/** The newest 500 that fit the filter of `audit.list`, and with `after` only those beyond a sequence. */
export async function auditRecords(
  home: string,
  filter: Readonly<Record<string, string>> = {},
  after = 0,
): Promise<AuditFacts[]> {
  const { records } = await asOwner<{ records: AuditFacts[] }>(home, 'audit.list', { limit: 500, ...filter });
  return records.filter((record) => Number(record.sequence) > after).reverse();
}

/** The sequence of the newest record. */
export async function auditHead(home: string): Promise<number> {
  const { records } = await asOwner<{ records: AuditFacts[] }>(home, 'audit.list', { limit: 1 });
  return Number(records[0]?.sequence ?? 0);
}

const CHANGING = [
  'writer',
  'sequence',
  'created_at',
  'at',
  'call_id',
  'duration_ms',
  'surface',
  'run_id',
  'credential_id',
  'workspace_id',
  'policy_version',
  'output_digest',
  'previous_hash',
  'hash',
  'source',
];

/** What a record says, without what differs from call to call and from wire to wire. */
export const storyOf = (record: AuditFacts): AuditFacts =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !CHANGING.includes(name)));
