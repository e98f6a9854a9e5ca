/** Finds the run a client was in before a restart, from the last record of it in the audit log. */
import type { Store } from '../drivers/store/store.ts';
import { isIdleRun, type RecallRun } from '../gateway/runs.ts';
import type { RunId } from '../kernel/ids.ts';

export function recallIdleRun({ units, auditReader }: Store): RecallRun {
  return async (principal, since) => {
    const [last] = await units.read((scope) => auditReader.list(scope, { subject_id: principal, since }, 1));
    return last?.run_id && isIdleRun(last.run_id) ? (last.run_id as RunId) : undefined;
  };
}
