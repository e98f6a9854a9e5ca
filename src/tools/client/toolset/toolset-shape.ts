/** How a toolset looks in answers and arguments. */
import { z } from 'zod';
import type { Governance } from '../../../domain/governance/governance-state.ts';
import { clientsWith } from '../../../domain/governance/manage-toolsets.ts';
import type { Toolset } from '../../../kernel/caller.ts';

export const toolsetName = z.string().max(64).describe('The name of the toolset');

export const toolsetFacts = z.object({
  name: z.string(),
  tools: z.array(z.string()),
  pinned: z.array(z.string()),
  clients: z.array(z.string()),
});

export const factsOf = (governance: Governance, toolset: Toolset): z.input<typeof toolsetFacts> => ({
  name: toolset.name,
  tools: [...toolset.tools],
  pinned: [...toolset.pinned],
  clients: [...clientsWith(governance, toolset.name)],
});
