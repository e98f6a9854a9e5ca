/** How an approval looks to who decides about it. */
import { z } from 'zod';
import { type Approval, stateAt } from '../../domain/governance/approvals/approval.ts';
import type { ApprovalPolicy } from '../../domain/governance/approvals/approval-policy.ts';

/** For people with the right, wherever they are, and also while everything is switched off. */
export const FOR_JUDGES = {
  scopes: ['approvals.decide'],
  reach: 'orchestrator',
  needsWorkspace: false,
  survivesOffSwitch: true,
} as const;

export const idArgument = z.string().max(64).describe('The id of the approval');

export const approvalFacts = {
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  tool: z.string(),
  server: z.string(),
  effect: z.string(),
  by: z.string(),
  asked_at: z.string(),
  expires_at: z.string(),
  call_id: z.string(),
  decision: z.string().nullable(),
  decided_by: z.string().nullable(),
  reason: z.string().nullable(),
};

export const factsOf = (one: Approval, now: number) => ({
  id: one.id,
  kind: one.kind,
  state: stateAt(one, now),
  tool: one.tool,
  server: one.server,
  effect: one.effect.toUpperCase(),
  by: one.caller.name,
  asked_at: timeOf(one.createdAt),
  expires_at: timeOf(one.expiresAt),
  call_id: one.call,
  decision: one.decision,
  decided_by: one.decidedBy,
  reason: one.reason,
});

export const timeOf = (at: number): string => new Date(at).toISOString();

export const policyFacts = z.object({
  local_effects: z.boolean(),
  mixed_runs: z.boolean(),
  output_classes: z.array(z.string()),
  for_session: z.boolean(),
});

export const policyOf = (policy: ApprovalPolicy): z.input<typeof policyFacts> => ({
  local_effects: policy.approval_local_effects,
  mixed_runs: policy.approval_mixed_runs,
  output_classes: [...policy.approval_output_classes],
  for_session: policy.approval_for_session,
});
