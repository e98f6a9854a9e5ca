/** Puts a page into the trash. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { trashPage } from '../../domain/workspace/trash-page.ts';
import { idempotencyArgument, ifMatchArgument, pageArgument } from './page-shape.ts';

export const deletePage = defineTool({
  name: 'delete_page',
  title: 'Delete a page',
  summary:
    'Moves a page and everything below it to the trash. restore_page with the batch it answers brings it back.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  destructive: true,
  write: { kind: 'page', derivation: 'none' },
  example: { page: 'projects/alpha' },
  input: z.object({
    page: pageArgument,
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    batch: z.string().describe('Names this deletion; give it to restore_page'),
    count: z.int(),
    pages: z.array(z.object({ id: z.string(), title: z.string() })).describe('The first hundred of them'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { batch, pages } = await trashPage(use, call.ticket, input.page, { ifMatch: input.if_match });
    return {
      batch,
      count: pages.length,
      pages: pages.slice(0, 100).map(({ id, title }) => ({ id, title })),
    };
  },
});
