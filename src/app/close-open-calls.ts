/**
 * Closes the records of calls that were under way when this home's process was killed. What may have been done outside
 * is recorded as unconfirmed; nothing is sent again.
 */
import { type AuditEntry, type AuditRecord, auditEntry } from '../domain/governance/audit-record.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Clock } from '../kernel/clock.ts';

/** Nothing is under way for longer, so that no older record is worth a look. */
const LONGEST_CALL_MS = 30 * 60 * 1000;

/** Before anything is called, so that every call without an end is one of an earlier process. */
export async function closeOpenCalls({
  store,
  clock,
  writer,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly writer: string;
}): Promise<void> {
  const open = await store.units.read((scope) =>
    store.auditReader.unfinished(scope, writer, LONGEST_CALL_MS),
  );
  for (const record of open) await store.audit.append(endOf(record, clock.now()));
}

function endOf(record: AuditRecord, now: number): AuditEntry {
  const { writer: _, sequence: __, previous_hash: ___, hash: ____, ...started } = record;
  const reads = started.effect === 'read_only' || started.effect === 'sensitive_read';
  return auditEntry({
    ...started,
    created_at: now,
    phase: 'finished',
    status: reads ? 'error' : 'unconfirmed',
    error_code: reads ? 'unavailable' : 'DELEG_OUTCOME_UNCONFIRMED',
  });
}
