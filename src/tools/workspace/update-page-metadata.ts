/** Changes a page's title or icon. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { changeMetadata } from '../../domain/workspace/change-metadata.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { factsOf, idempotencyArgument, ifMatchArgument, pageArgument, pageFacts } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const updatePageMetadata = defineTool({
  name: 'update_page_metadata',
  title: 'Change title or icon',
  summary:
    'Changes the title or icon of a page and nothing else. Links are not rewritten; rename_page does that.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  write: { kind: 'page', contentArgument: 'title', derivation: 'none' },
  example: { page: 'projects/alpha', icon: '🚀' },
  input: z.object({
    page: pageArgument,
    title: z.string().max(1_000).optional(),
    icon: z.string().max(64).nullable().optional().describe('null takes it away'),
    if_match: ifMatchArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    icon: z.string().nullable(),
    changed: z.boolean(),
    broken_links: z.int().describe('Links that lead nowhere, or to several pages, because of the new title'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, changed, brokenLinks } = await changeMetadata(use, call.ticket, {
      page: input.page,
      title: input.title,
      icon: input.icon,
      ifMatch: input.if_match,
    });
    return {
      ...factsOf(page, await pathOf(use, call.read, page.id)),
      icon: page.icon,
      changed,
      broken_links: brokenLinks,
    };
  },
});
