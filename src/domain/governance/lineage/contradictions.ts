/** What in the evidence of a call cannot all be true. */
import type { Approval } from '../approvals/approval.ts';
import type { Evidence } from './reconstruct.ts';

export function contradictionsOf(evidence: Evidence): readonly string[] {
  const { records, first, last, parents, asked, used } = evidence;
  const wrong: string[] = [];
  const phases = records.map(({ phase }) => phase).join(' ');
  if (!['single', 'started', 'started finished'].includes(phases))
    wrong.push(`its records are ${phases.slice(0, 100)}`);
  if (JOINTS.some((field) => first[field] !== last[field]))
    wrong.push('its beginning and its end are not of the same call');
  for (const parent of parents)
    if (parent.tool_name !== first.tool_name || parent.subject_id !== first.subject_id)
      wrong.push(`the call ${parent.call_id} before it is another's`);
  for (const one of [asked, used])
    if (one && !isOf(one, evidence)) wrong.push(`approval ${one.id} is of another call`);
  if (used && used.decision !== 'APPROVED_ONCE' && used.decision !== 'APPROVED_FOR_SESSION')
    wrong.push(`approval ${used.id} was used, and nobody said yes`);
  if (used && (used.decidedAt ?? 0) > (used.usedAt ?? 0))
    wrong.push(`approval ${used.id} was used before it was decided`);
  return wrong;
}

/** The join keys: without one of them the two records tell of different calls. */
const JOINTS = [
  'tool_name',
  'server',
  'subject_id',
  'run_id',
  'input_digest',
  'note',
  'parent_call_id',
] as const;

const isOf = (one: Approval, { last }: Evidence): boolean =>
  one.tool === last.tool_name &&
  one.principal === last.subject_id &&
  one.server === last.server &&
  (one.inputDigest === last.input_digest || one.decision === 'APPROVED_FOR_SESSION');
