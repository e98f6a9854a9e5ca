/** The steps of a call in the order in which they happened, each with what the records say of it. */
import type { Approval } from '../approvals/approval.ts';
import type { Disposition, LineageStep } from './lineage.ts';
import type { Evidence } from './reconstruct.ts';

type Facts = Readonly<Record<string, string | number | null | undefined>>;

export function stepsOf(evidence: Evidence, disposition: Disposition): readonly LineageStep[] {
  const { first, last, asked, used, met } = evidence;
  const approval = used ?? asked ?? met;
  return [
    step('turn', first.created_at, {
      run: first.run_id,
      thread: first.thread_id,
      by: first.subject_name,
      subject: first.subject_id,
      surface: first.surface,
      goes_on_with: first.parent_call_id,
    }),
    step('profile', undefined, {
      server: first.server,
      admitted: first.note,
      catalogue: first.catalogue_version,
      policy: first.policy_version,
    }),
    step('request', first.created_at, {
      tool: first.tool_name,
      effect: first.effect,
      input_digest: first.input_digest,
    }),
    ...(approval?.kind === 'preinvoke' ? approvalSteps(approval) : []),
    step('result', endedAt(evidence), {
      status: last.status,
      error_code: last.error_code,
      output_digest: last.output_digest,
      duration_ms: last.duration_ms,
    }),
    step('verdict', endedAt(evidence), { verdict: last.verdict }),
    ...(approval?.kind === 'postfirewall' ? approvalSteps(approval) : []),
    step('decision', endedAt(evidence), {
      decision: last.decision,
      gate: last.gate,
      runtime: runtimeDecision(evidence),
    }),
    step('disposition', endedAt(evidence), { disposition }),
  ];
}

const endedAt = ({ last }: Evidence): number | undefined =>
  last.phase === 'started' ? undefined : last.created_at;

const approvalSteps = (one: Approval): readonly LineageStep[] => [
  step('approval', one.decidedAt ?? one.createdAt, {
    approval: one.id,
    kind: one.kind,
    state: one.state,
    asked_by_call: one.call,
    decision: one.decision,
    decided_by: one.decidedBy,
    decided_by_call: one.decidedCall,
    reason: one.reason,
    used_by_call: one.usedCall,
  }),
];

/** What a verdict lets become of an answer. */
function runtimeDecision({ last }: Evidence): string | null {
  if (last.error_code === 'DELEG_APPROVAL_REQUIRED') return 'approval_required';
  if (last.verdict === null) return last.status === 'success' ? null : 'rejected';
  // Behind the verdict stands the version of the rules it was made by, and what went along with the call.
  const [verdict = ''] = last.verdict.split(/[@ ]/);
  return RUNTIME[verdict] ?? 'rejected';
}

const RUNTIME: Readonly<Record<string, string>> = {
  ACCEPTED_OBSERVATION: 'context_candidate',
  ACCEPTED_SUGGESTION: 'suggestion_candidate',
  APPROVAL_REQUIRED: 'approval_required',
};

/** What is absent is left out. */
function step(name: LineageStep['step'], at: number | undefined, facts: Facts): LineageStep {
  const present = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return {
    step: name,
    ...(at !== undefined && { at }),
    facts: Object.fromEntries(present.map(([key, value]) => [key, String(value)])),
  };
}
