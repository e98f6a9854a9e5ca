/** A person's yes or no. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { APPROVAL_DECISIONS } from '../../domain/governance/approvals/approval.ts';
import { decideApproval } from '../../domain/governance/approvals/decide-approval.ts';
import { approvalFacts, FOR_JUDGES, factsOf, idArgument } from './approval-shape.ts';
import type { ApprovalFamilyMeans } from './means.ts';

export const decide = defineTool({
  ...FOR_JUDGES,
  name: 'approval.decide',
  title: 'Decide about a call',
  summary:
    'Says yes or no to a call that waits, or to letting a held answer go. A yes is good once, for the very same call.',
  effect: 'local_side_effect',
  write: { kind: 'approval', derivation: 'none' },
  example: { id: '0199…', decision: 'APPROVED_ONCE', reason: 'as agreed' },
  input: z.object({
    id: idArgument,
    decision: z.enum(APPROVAL_DECISIONS).describe('For a session only where the policy allows that'),
    reason: z.string().min(1).max(1_000),
  }),
  output: z.object(approvalFacts),
  async handler(use: ApprovalFamilyMeans, { id, decision, reason }, call) {
    return factsOf(await decideApproval(use, call.ticket, id, decision, reason), call.at);
  },
});
