/** How a role looks in answers. */
import { z } from 'zod';
import type { Role } from '../../../domain/governance/roles.ts';
import { REACHES } from '../../../kernel/caller.ts';

export const reach = z.enum(REACHES);

export const roleFacts = z.object({
  name: z.string(),
  tools: z.array(z.string()),
  scopes: z.array(z.string()),
  reach,
  version: z.int(),
});

export const factsOf = (role: Role): z.input<typeof roleFacts> => ({
  ...role,
  tools: [...role.tools],
  scopes: [...role.scopes],
});
