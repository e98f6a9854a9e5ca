/** Makes or changes a role. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import { putRole } from '../../../domain/governance/manage-policy.ts';
import { SCOPES } from '../../../kernel/scopes.ts';
import type { PolicyFamilyMeans } from '../means.ts';
import { factsOf, reach, roleFacts } from './role-shape.ts';

export const set = defineTool({
  ...OWNER_ONLY,
  name: 'policy.role.set',
  title: 'Set a role',
  summary: 'Makes a role or replaces what it allows; tokens with that role follow at once.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'policy', contentArgument: 'name', derivation: 'none' },
  example: {
    name: 'librarian',
    tools: ['search', 'read_page'],
    scopes: ['workspace.read'],
    reach: 'orchestrator',
  },
  input: z.object({
    name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'use lower case letters, digits and _'),
    tools: z.array(z.string().max(128)).max(200),
    scopes: z.array(z.enum(SCOPES)).max(50),
    reach: reach.default('orchestrator'),
  }),
  output: z.object({ role: roleFacts }),
  async handler(use: PolicyFamilyMeans, input, call) {
    return { role: factsOf(await putRole(use, call.ticket, input)) };
  },
});
