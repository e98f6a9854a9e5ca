/** Renames a page and every link to it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { renamePage as rename } from '../../domain/workspace/rename-page.ts';
import { factsOf, idempotencyArgument, pageArgument, pageFacts, skippedPages } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const renamePage = defineTool({
  name: 'rename_page',
  title: 'Rename a page',
  summary:
    'Renames a page and rewrites every link to it in the whole workspace, all or nothing. dry_run tells first.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'page', contentArgument: 'title', derivation: 'none' },
  example: { page: 'projects/alpha', title: 'Alpha Centauri', dry_run: true },
  input: z.object({
    page: pageArgument,
    title: z.string().max(1_000),
    dry_run: z.boolean().default(false).describe('Only say what would happen'),
    keep_alias: z.boolean().default(false).describe('Let the old title go on answering'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    changed: z.boolean(),
    dry_run: z.boolean(),
    updated_pages: z.int(),
    updated_links: z.int(),
    skipped: skippedPages,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const renamed = await rename(use, call.ticket, {
      page: input.page,
      title: input.title,
      dryRun: input.dry_run,
      keepAlias: input.keep_alias,
    });
    const { page } = renamed;
    const path = await pathOf(use, call.read, page.id);
    return {
      // After a dry run the store still has the old slug.
      ...factsOf(page, [...path.split('/').slice(0, -1), page.slug].join('/')),
      changed: renamed.changed,
      dry_run: input.dry_run,
      updated_pages: renamed.updatedPages,
      updated_links: renamed.updatedLinks,
      skipped: [...renamed.skipped],
    };
  },
});
