/**
 * Records what did not go through. Nobody can fill the log with refusals: those without an identity are counted
 * for their source, those of a caller beyond its rate for the caller.
 */
import type { AuditEntry } from '../domain/governance/audit-record.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { Gate } from './means.ts';

export async function recordRefused(
  use: Pick<Gate, 'audit' | 'rate' | 'refusals'>,
  record: AuditEntry,
  source: string,
): Promise<void> {
  if (record.subject_id === null) await use.refusals.note(record, source);
  else if (isBeyondRate(use, record, record.subject_id)) await use.refusals.note(record, record.subject_id);
  else await use.audit.append(record);
}

/** A call that was let in has had its share; a refusal takes one of its own. */
function isBeyondRate(use: Pick<Gate, 'rate'>, record: AuditEntry, principal: string): boolean {
  if (record.decision === 'allow' || record.gate === 'concurrency') return false;
  return record.gate === 'rate' || use.rate.take(principal) > 0;
}

/** What a caller hears whose call could not be recorded: what became of the call, and why there is no answer. */
export const unrecordable = (what: string, cause: unknown): SluiceError =>
  new SluiceError('unavailable', `${what}, because it cannot be recorded`, {}, cause);
