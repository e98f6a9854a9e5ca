/** Step 17: the record of the call, durable before anybody hears the answer. */
import type { TrailNote } from '../../domain/governance/audit-log.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { faultFields } from '../../kernel/log.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Gate } from '../means.ts';
import { recordRefused, unrecordable } from '../record-refused.ts';
import type { Outcome } from '../request.ts';
import type { Checked, Opened } from '../stages.ts';

/** With `tx` the record becomes durable with the write it records, or neither does. */
export async function closeAudit(use: Gate, checked: Checked, tx?: WriteTx): Promise<Outcome> {
  const { draft, answer } = checked;
  const now = use.clock.now();
  const record = draft.close({ status: 'success' }, now);
  const trail = trailOf(checked, now);
  if (tx) {
    await use.audit.appendWith(tx, record, trail);
  } else {
    try {
      await use.audit.append(record, trail);
    } catch (error) {
      throw unanswered(checked, error);
    }
  }
  return { ok: true, callId: draft.callId, answer };
}

/** Nothing was changed in here; but what was done outside is done, and a retry would do it again. */
function unanswered({ entry }: Checked, error: unknown): SluiceError {
  const done = entry.kind === 'tool' && entry.mode === 'action';
  return unrecordable(
    done ? 'The call was carried out but not answered' : 'The call was not answered',
    error,
  );
}

function trailOf({ noted, caller }: Checked, at: number): TrailNote | undefined {
  return noted.length > 0 ? { run: caller.context.run, at, entities: noted } : undefined;
}

/** Whatever ended the call: what may have happened is never called failed, and nobody is told to try again. */
const unconfirmed = (reason: SluiceError): SluiceError =>
  reason.code === 'DELEG_OUTCOME_UNCONFIRMED'
    ? reason
    : new SluiceError(
        'DELEG_OUTCOME_UNCONFIRMED',
        `DELEG_OUTCOME_UNCONFIRMED: ${reason.message}; whether it was done is not known, and it is not sent again`,
        { ...reason.details, outcome: 'unconfirmed', ended_by: reason.code },
      );

/** For everything that did not go through. If not even that can be recorded, the caller hears `unavailable`. */
export async function refuse(use: Gate, opened: Opened, reason: SluiceError): Promise<Outcome> {
  const { draft, request } = opened;
  if (reason.code === 'internal')
    use.log.error('call_failed', { callId: draft.callId, ...faultFields(reason) });
  const error = draft.inDoubt ? unconfirmed(reason) : reason;
  const { verdict, rules_version } = error.details;
  if (typeof verdict === 'string')
    draft.verdict(rules_version === undefined ? verdict : `${verdict}@${rules_version}`);
  const status = error.code === 'DELEG_OUTCOME_UNCONFIRMED' ? 'unconfirmed' : 'error';
  const record = draft.close({ status, code: error.code }, use.clock.now());
  try {
    await recordRefused(use, record, request.source);
  } catch (failure) {
    // The store's own words about a write that failed say more: whether it may have happened.
    const told = error.code === 'unavailable' ? error : unrecordable('The call was refused', failure);
    return { ok: false, callId: draft.callId, error: told };
  }
  return { ok: false, callId: draft.callId, error };
}
