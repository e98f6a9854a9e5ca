/** Every gate's answer for one caller and one tool. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { PolicyFamilyMeans } from './means.ts';

export const explain = defineTool({
  ...OWNER_ONLY,
  name: 'policy.explain',
  title: 'Explain a decision',
  summary:
    'Says for a caller and a tool what every gate answers, by the function that also decides lists and calls.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: { caller: 'claude-code', tool: 'delete_page' },
  input: z.object({
    caller: z.string().max(100).describe('A client, "owner", or "role:" and a role'),
    tool: z.string().max(200).describe('The name of a tool, prompt or resource'),
  }),
  output: z.object({
    caller: z.object({ name: z.string(), kind: z.string(), role: z.string(), scopes: z.array(z.string()) }),
    tool: z.string(),
    allowed: z.boolean(),
    gates: z.array(z.object({ gate: z.string(), allowed: z.boolean(), reason: z.string() })),
    policy_version: z.int(),
  }),
  async handler(use: PolicyFamilyMeans, input) {
    const { caller, answers } = await use.explain(input.caller, input.tool);
    if (!answers) throw new SluiceError('not_found', `There is no tool "${input.tool}"`, { field: 'tool' });
    return {
      caller: { ...caller, scopes: [...caller.scopes] },
      tool: input.tool,
      allowed: answers.every((answer) => answer.allowed),
      gates: answers.map((answer) => ({ ...answer })),
      policy_version: use.state.current().policy.version,
    };
  },
});
