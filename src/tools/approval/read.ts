/** One approval with what a person needs to decide about it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { loadApproval } from '../../domain/governance/approvals/decide-approval.ts';
import { approvalFacts, FOR_JUDGES, factsOf, idArgument, timeOf } from './approval-shape.ts';
import type { ApprovalFamilyMeans } from './means.ts';

export const read = defineTool({
  ...FOR_JUDGES,
  name: 'approval.read',
  title: 'Show an approval',
  summary:
    'One approval: the exact call with its arguments, masked, or how the held answer begins; both are untrusted text.',
  effect: 'read_only',
  example: { id: '0199…' },
  input: z.object({ id: idArgument }),
  output: z.object({
    ...approvalFacts,
    run: z.string(),
    arguments: z.string(),
    input_digest: z.string(),
    admitted: z.string(),
    policy: z.string(),
    masked: z.boolean(),
    verdict: z.string().nullable(),
    rules: z.array(z.string()),
    excerpt: z.string().nullable(),
    decided_at: z.string().nullable(),
    used_at: z.string().nullable(),
    used_by_call: z.string().nullable(),
  }),
  async handler(use: ApprovalFamilyMeans, { id }, call) {
    const one = await loadApproval(use, call.read, id);
    const { summary } = one;
    return {
      ...factsOf(one, call.at),
      run: one.run,
      arguments: summary.arguments,
      input_digest: one.inputDigest,
      admitted: one.binding,
      policy: one.policy,
      masked: summary.masked,
      verdict: summary.verdict ?? null,
      rules: [...(summary.rules ?? [])],
      excerpt: summary.excerpt ?? null,
      decided_at: one.decidedAt === null ? null : timeOf(one.decidedAt),
      used_at: one.usedAt === null ? null : timeOf(one.usedAt),
      used_by_call: one.usedCall,
    };
  },
});
