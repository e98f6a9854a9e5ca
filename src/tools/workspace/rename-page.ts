/** Renames a page and every link to it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { renamePage as rename } from '../../domain/workspace/rename-page.ts';
import { idempotencyArgument, ifMatchArgument, pageArgument, pageFacts } from './page-shape.ts';
import { dryRunArgument, placingFacts, relinkFacts } from './relink-shape.ts';

export const renamePage = defineTool({
  name: 'rename_page',
  title: 'Rename a page',
  summary:
    'Renames a page and rewrites every link to it in the whole workspace, all or nothing. dry_run tells first, undo_change takes it back.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'page', contentArgument: 'title', derivation: 'none' },
  example: { page: 'projects/alpha', title: 'Alpha Centauri', dry_run: true },
  input: z.object({
    page: pageArgument,
    title: z.string().max(1_000),
    dry_run: dryRunArgument,
    keep_alias: z.boolean().default(false).describe('Let the old title go on answering'),
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    dry_run: z.boolean(),
    ...relinkFacts,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const renamed = await rename(use, call.ticket, {
      page: input.page,
      title: input.title,
      dryRun: input.dry_run,
      keepAlias: input.keep_alias,
      ifMatch: input.if_match,
    });
    return { ...placingFacts(renamed), dry_run: input.dry_run };
  },
});
