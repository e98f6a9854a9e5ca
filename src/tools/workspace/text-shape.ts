/** How tools that change or show parts of a text look: what changed, sections, blocks. */
import { z } from 'zod';
import type { PageBlock } from '../../domain/workspace/editing/page-blocks.ts';
import type { Revised } from '../../domain/workspace/revise-page.ts';
import { factsOf } from './page-shape.ts';

export const sectionArgument = z.union([
  z.string().min(1).max(2_000),
  z.object({ heading: z.string().min(1).max(2_000), ordinal: z.int().min(1).optional() }),
]);

export const changeFacts = {
  changed: z.boolean(),
  merged: z.boolean().describe('True when changes of others since base_version were kept'),
  previous_version: z.string(),
  change: z.object({
    characters_before: z.int(),
    characters_after: z.int(),
    lines_added: z.int(),
    lines_removed: z.int(),
    diff: z.string(),
  }),
};

export const blockFacts = {
  id: z.string(),
  kind: z.string(),
  heading_path: z.array(z.string()),
  ordinal: z.int().optional().describe('Of a heading: which of those with the same path'),
  digest: z.string(),
};

export const factsOfBlock = ({ id, kind, headingPath, ordinal, digest }: PageBlock) => ({
  id,
  kind,
  heading_path: [...headingPath],
  ...(ordinal !== undefined && { ordinal }),
  digest,
});

/** What `pageFacts` and `changeFacts` together say of a text that was revised. */
export const describeRevised = (
  { page, changed, merged, previousVersion, change }: Revised,
  path: string,
) => ({
  ...factsOf(page, path),
  changed,
  merged,
  previous_version: previousVersion,
  change,
});
