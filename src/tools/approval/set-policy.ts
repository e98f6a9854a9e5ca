/** What waits for a yes besides what always does. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { setApprovalPolicy } from '../../domain/governance/approvals/set-approval-policy.ts';
import { policyFacts, policyOf } from './approval-shape.ts';
import type { ApprovalFamilyMeans } from './means.ts';

export const setPolicy = defineTool({
  ...OWNER_ONLY,
  name: 'approval.set_policy',
  title: 'Change what needs a yes',
  summary:
    'Says whether local effects wait for a yes, which classes of text hold an answer, and whether a yes may last a session.',
  scopes: ['approvals.decide', 'settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'setting', derivation: 'none' },
  example: { local_effects: true },
  input: z.object({
    local_effects: z.boolean().optional().describe("Providers' tools that change something here wait too"),
    mixed_runs: z
      .boolean()
      .optional()
      .describe('They wait in runs that read what is private and heard what nobody vouches for'),
    output_classes: z
      .array(z.enum(['CREDENTIAL_LIKE', 'REGULATED', 'UNKNOWN_SENSITIVE', 'USER_PRIVATE']))
      .optional()
      .describe('Answers in which text of these classes was found wait'),
    for_session: z.boolean().optional().describe('A yes may be given for all calls of a run to a tool'),
  }),
  output: policyFacts,
  async handler(use: ApprovalFamilyMeans, { local_effects, mixed_runs, output_classes, for_session }, call) {
    const settings = await setApprovalPolicy(use.policy, call.ticket, {
      ...(local_effects !== undefined && { approval_local_effects: local_effects }),
      ...(mixed_runs !== undefined && { approval_mixed_runs: mixed_runs }),
      ...(output_classes !== undefined && { approval_output_classes: [...new Set(output_classes)].sort() }),
      ...(for_session !== undefined && { approval_for_session: for_session }),
    });
    return policyOf(settings);
  },
});
