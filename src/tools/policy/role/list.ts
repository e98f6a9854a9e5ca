/** Lists roles. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../../catalogue/registration.ts';
import { defineTool } from '../../../catalogue/tool-definition.ts';
import type { PolicyFamilyMeans } from '../means.ts';
import { factsOf, roleFacts } from './role-shape.ts';

export const list = defineTool({
  ...OWNER_ONLY,
  name: 'policy.role.list',
  title: 'List roles',
  summary: 'Lists roles with the tools they may see, the scopes they carry and their reach.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({ roles: z.array(roleFacts), policy_version: z.int() }),
  async handler(use: PolicyFamilyMeans) {
    const { policy } = use.state.current();
    return { roles: [...policy.roles.values()].map(factsOf), policy_version: policy.version };
  },
});
