/** What waits for a person's yes, and what became of what waited. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { APPROVAL_KINDS, APPROVAL_STATES } from '../../domain/governance/approvals/approval.ts';
import type { ApprovalId } from '../../kernel/ids.ts';
import { approvalFacts, FOR_JUDGES, factsOf, policyFacts, policyOf } from './approval-shape.ts';
import type { ApprovalFamilyMeans } from './means.ts';

export const list = defineTool({
  ...FOR_JUDGES,
  name: 'approval.list',
  title: 'List approvals',
  summary: 'Calls that wait for a yes (preinvoke) and answers that are held (postfirewall), newest first.',
  effect: 'read_only',
  example: { state: 'pending' },
  input: z.object({
    state: z.enum(APPROVAL_STATES).optional().describe('Only those in this state'),
    kind: z.enum(APPROVAL_KINDS).optional().describe('Only calls, or only held answers'),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(64).optional(),
  }),
  output: z.object({
    approvals: z.array(z.object(approvalFacts)),
    policy: policyFacts,
    next_cursor: z.string().optional(),
  }),
  async handler(use: ApprovalFamilyMeans, { state, kind, limit, cursor }, call) {
    const { store } = use.desk;
    const before = cursor as ApprovalId | undefined;
    const found = await store.list(call.read, { state, kind }, limit + 1, before);
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      // What has expired since is said to have, also before that is written down.
      approvals: shown
        .map((one) => factsOf(one, call.at))
        .filter((one) => state === undefined || one.state === state),
      policy: policyOf(use.governance.current().settings),
      ...(found.length > limit && last && { next_cursor: last.id }),
    };
  },
});
