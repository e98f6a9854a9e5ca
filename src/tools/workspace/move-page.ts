/** Moves a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { movePage as move } from '../../domain/workspace/move-page.ts';
import { idempotencyArgument, ifMatchArgument, pageArgument, pageFacts } from './page-shape.ts';
import { dryRunArgument, placingFacts, relinkFacts } from './relink-shape.ts';

export const movePage = defineTool({
  name: 'move_page',
  title: 'Move a page',
  summary:
    'Moves a page with everything below it to another parent or place. Links keep their meaning. undo_change takes it back.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'page', derivation: 'none' },
  example: { page: 'alpha', parent: 'projects' },
  input: z.object({
    page: pageArgument,
    parent: pageArgument.nullable().describe('The new parent; null for the root'),
    position: z
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('Place among the siblings, 0 = first; left out = last'),
    dry_run: dryRunArgument,
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    parent: z.string().nullable(),
    dry_run: z.boolean(),
    ...relinkFacts,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, parent, position, dry_run, if_match: ifMatch } = input;
    const moved = await move(use, call.ticket, { page, parent, position, dryRun: dry_run, ifMatch });
    return { ...placingFacts(moved), parent: moved.page.parent, dry_run };
  },
});
