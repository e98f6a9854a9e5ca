/** Renames a heading and every link to it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { renameHeading as rename } from '../../domain/workspace/headings/rename-heading.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { factsOf, idempotencyArgument, ifMatchArgument, pageArgument, pageFacts } from './page-shape.ts';
import { pathOf } from './path-of.ts';
import { dryRunArgument, relinkFacts } from './relink-shape.ts';
import { sectionArgument } from './text-shape.ts';

export const renameHeading = defineTool({
  name: 'rename_heading',
  title: 'Rename a heading',
  summary:
    'Renames a heading and rewrites every link to it or past it ([[Page#A#B]]) in the whole workspace, all or nothing. dry_run tells first.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'page', contentArgument: 'title', derivation: 'none' },
  example: { page: 'projects/alpha', section: 'Status > Open', title: 'Still open', dry_run: true },
  input: z.object({
    page: pageArgument,
    section: sectionArgument.describe('The heading: "Title", "Above > Title" or "Title#2" for the second'),
    title: z.string().max(1_000),
    dry_run: dryRunArgument,
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    from: z.string(),
    to: z.string(),
    dry_run: z.boolean(),
    ...relinkFacts,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const done = await rename(use, call.ticket, {
      page: input.page,
      section: input.section,
      title: input.title,
      dryRun: input.dry_run,
      ifMatch: input.if_match,
    });
    return {
      ...factsOf(done.page, await pathOf(use, call.read, done.page.id)),
      from: done.from,
      to: done.to,
      dry_run: input.dry_run,
      changed: done.changed,
      ...(done.change !== undefined && { change: done.change }),
      updated_pages: done.updatedPages,
      updated_links: done.updatedLinks,
      skipped: [...done.skipped],
    };
  },
});
