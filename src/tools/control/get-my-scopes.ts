/** Who the caller is to Sluice. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { lifecycleOf, originOf } from '../../domain/governance/provenance-rules.ts';
import type { ControlMeans } from './means.ts';

export const getMyScopes = defineTool({
  name: 'get_my_scopes',
  title: 'My scopes',
  summary: 'Says who you are to Sluice: role, scopes, run, and what becomes of what you write.',
  scopes: [],
  effect: 'read_only',
  sandboxEligible: true,
  example: {},
  input: z.object({}),
  output: z.object({
    principal: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
    role: z.string(),
    scopes: z.array(z.string()),
    reach: z.string(),
    writes: z.object({ origin: z.string(), lifecycle: z.string() }),
    workspace: z.string().nullable(),
    run: z.string(),
    thread: z.string().nullable(),
    policy_version: z.int(),
  }),
  async handler(use: ControlMeans, _input, { caller }) {
    return {
      principal: { ...caller.principal },
      role: caller.role,
      scopes: [...caller.scopes].sort(),
      reach: caller.reach,
      writes: { origin: originOf(caller), lifecycle: lifecycleOf(caller) },
      workspace: caller.context.workspace ?? null,
      run: caller.context.run,
      thread: caller.context.thread ?? null,
      policy_version: use.policy().version,
    };
  },
});
