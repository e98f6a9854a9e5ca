/** Renames a tag everywhere. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { renameTag as rename } from '../../domain/workspace/tags/rename-tag.ts';
import { idempotencyArgument } from './page-shape.ts';
import { dryRunArgument } from './relink-shape.ts';
import { tagArgument } from './tag-shape.ts';

export const renameTag = defineTool({
  name: 'rename_tag',
  title: 'Rename a tag',
  summary:
    'Renames a tag and those nested in it on every page, in text and frontmatter, all or nothing. Code is left alone. dry_run tells first.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'tag', contentArgument: 'to', derivation: 'none' },
  example: { from: 'todo', to: 'task/open', dry_run: true },
  input: z.object({
    from: tagArgument.describe('The tag as it is'),
    to: tagArgument.describe('What it is to be called'),
    dry_run: dryRunArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    from: z.string(),
    to: z.string(),
    dry_run: z.boolean(),
    updated_pages: z.int(),
    updated_places: z.int(),
    skipped: z.array(z.object({ page: z.string(), reason: z.string() })),
    change: z.int().optional().describe('Its number in the log of the workspace'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { from, to, dry_run: dryRun } = input;
    const done = await rename(use, call.ticket, { from, to, dryRun });
    return {
      from: done.from,
      to: done.to,
      dry_run: dryRun,
      updated_pages: done.updatedPages,
      updated_places: done.updatedPlaces,
      skipped: [...done.skipped],
      ...(done.change !== undefined && { change: done.change }),
    };
  },
});
