/** Moves a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { movePage as move } from '../../domain/workspace/move-page.ts';
import { factsOf, idempotencyArgument, pageArgument, pageFacts, skippedPages } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const movePage = defineTool({
  name: 'move_page',
  title: 'Move a page',
  summary: 'Moves a page with everything below it to another parent or place. Links keep their meaning.',
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
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    parent: z.string().nullable(),
    changed: z.boolean(),
    updated_pages: z.int(),
    updated_links: z.int(),
    skipped: skippedPages,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const moved = await move(use, call.ticket, input);
    return {
      ...factsOf(moved.page, await pathOf(use, call.read, moved.page.id)),
      parent: moved.page.parent,
      changed: moved.changed,
      updated_pages: moved.updatedPages,
      updated_links: moved.updatedLinks,
      skipped: [...moved.skipped],
    };
  },
});
