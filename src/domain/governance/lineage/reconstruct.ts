/** Puts the lineage of a call together from its records and the approvals that name it, and says how whole it is. */
import { SluiceError } from '../../../kernel/errors.ts';
import type { PrincipalId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { Approval } from '../approvals/approval.ts';
import type { ApprovalStore } from '../approvals/approval-store.ts';
import type { AuditReader } from '../audit-log.ts';
import type { AuditRecord } from '../audit-record.ts';
import { contradictionsOf } from './contradictions.ts';
import type { Disposition, Lineage, LineageOutcome } from './lineage.ts';
import { stepsOf } from './steps.ts';

export interface LineageMeans {
  readonly reader: AuditReader;
  readonly approvals: ApprovalStore;
}

/** Everything that is known of one call. */
export interface Evidence {
  readonly records: readonly AuditRecord[];
  /** How the call began, and how it ended as far as that is recorded. */
  readonly first: AuditRecord;
  readonly last: AuditRecord;
  /** The call that it goes on with, where it names one. */
  readonly parents: readonly AuditRecord[];
  /** The question it asked or answer of it that is held, and the yes that it used. */
  readonly asked: Approval | undefined;
  readonly used: Approval | undefined;
  /** What an equal call before it had asked for, and this one was refused by: it waited still, or it was a no. */
  readonly met?: Approval | undefined;
}

export async function reconstructLineage(
  use: LineageMeans,
  scope: ReadScope,
  call: string,
): Promise<Lineage> {
  const records = await use.reader.ofCall(scope, call);
  const [first] = records;
  const last = records.at(-1);
  if (!first || !last)
    throw new SluiceError('not_found', `There is no record of a call "${call}"`, { field: 'call_id' });
  const parents = first.parent_call_id ? await use.reader.ofCall(scope, first.parent_call_id) : [];
  const approvals = await use.approvals.ofCall(scope, call);
  const asked = approvals.findLast((one) => one.call === call);
  const used = approvals.find((one) => one.usedCall === call);
  const met = asked || used ? undefined : await metBy(use, scope, last);
  const evidence: Evidence = { records, first, last, parents, asked, used, met };
  return tellLineage(evidence, await relatedTo(use, scope, evidence));
}

/** By its join keys, because nothing is kept with an approval of those who came too early or too late for it. */
async function metBy(
  { approvals }: LineageMeans,
  scope: ReadScope,
  { error_code, subject_id, tool_name, input_digest, server, created_at: at }: AuditRecord,
): Promise<Approval | undefined> {
  const rejected = error_code === 'DELEG_APPROVAL_REJECTED';
  if ((!rejected && error_code !== 'DELEG_APPROVAL_REQUIRED') || input_digest === null) return undefined;
  const key = { principal: subject_id as PrincipalId, tool: tool_name, inputDigest: input_digest };
  return (await approvals.ofKey(scope, key)).find(
    (one) =>
      one.server === server &&
      one.createdAt <= at &&
      (!rejected || (one.decision === 'REJECTED' && (one.decidedAt ?? at) <= at)),
  );
}

/** What the evidence comes to; nothing is looked up any more. */
export function tellLineage(evidence: Evidence, related: readonly string[] = []): Lineage {
  const disposition = dispositionOf(evidence);
  const wrong = contradictionsOf(evidence);
  const missing = missingIn(evidence);
  const redacted = redactedIn(evidence);
  return {
    call: evidence.first.call_id,
    disposition,
    outcome: outcomeOf(evidence, wrong, missing, redacted),
    steps: stepsOf(evidence, disposition),
    remarks: [...wrong, ...missing, ...redacted],
    related,
  };
}

function outcomeOf(
  { last }: Evidence,
  wrong: readonly string[],
  missing: readonly string[],
  redacted: readonly string[],
): LineageOutcome {
  if (wrong.length > 0) return 'INVALID_LINEAGE';
  if (missing.length > 0) return 'PARTIAL_MISSING_EVIDENCE';
  if (last.decision === 'deny' || BLOCKED.includes(last.error_code ?? '')) return 'BLOCKED_BY_POLICY';
  return redacted.length > 0 ? 'PARTIAL_REDACTED' : 'RECONSTRUCTED';
}

/** Refusals after the gates that are a matter of policy as well. */
const BLOCKED: readonly string[] = [
  'DELEG_PROVIDER_BLOCKED',
  'DELEG_PROVIDER_DRIFTED',
  'DELEG_CAPABILITY_NOT_ALLOWED',
  'DELEG_APPROVAL_REQUIRED',
  'DELEG_APPROVAL_REJECTED',
];

function dispositionOf({ last, asked, used }: Evidence): Disposition {
  if (asked?.kind === 'postfirewall')
    return asked.state === 'pending' || asked.state === 'approved' ? 'held' : HELD_ENDS[asked.state];
  switch (last.status) {
    case 'success':
      return used?.kind === 'postfirewall' ? 'released' : 'delivered';
    case 'suspended':
      return 'asked';
    case 'unconfirmed':
      return 'unconfirmed';
    case 'started':
      return 'unknown';
    default:
      return last.decision === 'deny' || last.error_code?.startsWith('DELEG_') ? 'refused' : 'failed';
  }
}

const HELD_ENDS = { used: 'released', rejected: 'dropped', expired: 'dropped' } as const;

function missingIn({ first, last, parents }: Evidence): readonly string[] {
  const missing: string[] = [];
  if (last.status === 'started') missing.push('the call has no end');
  if (last.status === 'unconfirmed') missing.push('whether it was carried out is not known');
  if (first.parent_call_id && parents.length === 0)
    missing.push(`the call ${first.parent_call_id} before it has no records any more`);
  if (first.server !== 'built-in' && first.decision === 'allow' && !first.note)
    missing.push('what was admitted of the provider was not recorded');
  return missing;
}

function redactedIn({ asked, used, met }: Evidence): readonly string[] {
  return [asked, used, met].flatMap((one) => {
    if (!one) return [];
    const masked = one.summary.masked ? [`what was shown of approval ${one.id} is masked`] : [];
    const dropped =
      one.kind === 'postfirewall' && (one.state === 'rejected' || one.state === 'expired')
        ? ['the held answer was dropped']
        : [];
    return [...masked, ...dropped];
  });
}

async function relatedTo(
  use: LineageMeans,
  scope: ReadScope,
  { first, asked, used, met }: Evidence,
): Promise<readonly string[]> {
  const later = await use.reader.list(scope, { parent_call_id: first.call_id }, MAX_RELATED);
  const calls = [
    first.parent_call_id,
    used?.call,
    used?.decidedCall,
    asked?.decidedCall,
    asked?.usedCall,
    met?.call,
    met?.decidedCall,
    ...later.map(({ call_id }) => call_id),
  ];
  const others = calls.filter((call): call is string => Boolean(call) && call !== first.call_id);
  return [...new Set(others)].toSorted();
}

const MAX_RELATED = 50;
