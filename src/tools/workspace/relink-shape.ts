/** How the answers look of tools that give a page another name or place and rewrite links for it. */
import { z } from 'zod';
import type { PlacedAnew } from '../../domain/workspace/place-anew.ts';
import { factsOf } from './page-shape.ts';

export const dryRunArgument = z.boolean().default(false).describe('Only say what would happen');

export const relinkFacts = {
  changed: z.boolean(),
  change: z.int().optional().describe('Its number in the log of the workspace, for undo_change'),
  updated_pages: z.int(),
  updated_links: z.int(),
  skipped: z.array(z.object({ page: z.string(), reason: z.string() })),
};

export const placingFacts = (placed: PlacedAnew) => ({
  ...factsOf(placed.page, placed.path),
  changed: placed.changed,
  ...(placed.change !== undefined && { change: placed.change }),
  updated_pages: placed.updatedPages,
  updated_links: placed.updatedLinks,
  skipped: [...placed.skipped],
});
