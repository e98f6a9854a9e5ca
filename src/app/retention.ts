/** Lets go of what is older than the owner wants it kept. For audit records a checkpoint in the chain accounts. */
import { writePruning } from '../domain/governance/audit-notes.ts';
import { auditEntry } from '../domain/governance/audit-record.ts';
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CallId, IdSource } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';

export interface RetentionParts {
  readonly store: Store;
  readonly governance: GovernanceState;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly writer: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const EVERY_MS = 6 * 60 * 60 * 1000;
/** Soon enough for a program that never lives for hours, late enough to be no part of its start. */
const FIRST_AFTER_MS = 60 * 1000;

/** What else is let go of, by the name of its failure in the log. */
export type RetentionTasks = Readonly<Record<string, () => Promise<unknown>>>;

/** Returns what stops it. */
export function startRetention(parts: RetentionParts, others: RetentionTasks = {}): () => Promise<void> {
  const tasks = { audit_not_pruned: () => pruneAudit(parts), ...others };
  let running: Promise<unknown> = Promise.resolve();
  const run = async (): Promise<void> => {
    // Each by itself: what one cannot do is no reason to leave the others.
    for (const [failure, task] of Object.entries(tasks)) {
      try {
        await task();
      } catch (error) {
        parts.log.warn(failure, faultFields(error));
      }
    }
    try {
      await expireProposals(parts);
    } catch (error) {
      parts.log.warn('proposals_not_expired', faultFields(error));
    }
  };
  let timer: NodeJS.Timeout;
  const schedule = (afterMs: number): void => {
    timer = setTimeout(() => {
      running = run();
      schedule(EVERY_MS);
    }, afterMs).unref();
  };
  schedule(FIRST_AFTER_MS);
  return async () => {
    clearTimeout(timer);
    await running;
  };
}

/** Answers how many records went. Checkpoint and removal are one unit. */
export async function pruneAudit({ store, governance, clock, ids, writer }: RetentionParts): Promise<number> {
  const keepFrom = clock.now() - governance.current().settings.audit_retention_days * DAY_MS;
  return store.units.write({}, async (tx) => {
    const last = await store.auditReader.lastBefore(tx, writer, keepFrom);
    if (!last) return 0;
    await store.audit.appendWith(
      tx,
      auditEntry({
        created_at: clock.now(),
        call_id: ids.next<CallId>(),
        kind: 'checkpoint',
        surface: 'admin',
        tool_name: '(retention)',
        decision: 'allow',
        status: 'success',
        subject_type: 'system',
        subject_id: 'system',
        subject_name: 'sluice',
        note: writePruning(last),
      }),
    );
    return store.auditReader.prune(tx, writer, last.sequence);
  });
}

/** Writes down what has expired; who asks finds it expired without that. Answers how many there were. */
export function expireProposals({ store, clock }: Pick<RetentionParts, 'store' | 'clock'>): Promise<number> {
  return store.units.write({}, (tx) => store.proposals.expire(tx, clock.now()));
}
