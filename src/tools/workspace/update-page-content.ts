/** Replaces a page's text, merging with what others did meanwhile. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import { revisePage } from '../../domain/workspace/revise-page.ts';
import {
  derivedFromArgument,
  idempotencyArgument,
  ifMatchArgument,
  pageArgument,
  pageFacts,
} from './page-shape.ts';
import { pathOf } from './path-of.ts';
import { changeFacts, describeRevised } from './text-shape.ts';

export const updatePageContent = defineTool({
  name: 'update_page_content',
  title: 'Update a page',
  summary:
    'Replaces the text of a page. Give base_version from read_page: changes others made since are kept, and only the same place changed twice is a conflict.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  idempotent: true,
  limits: { inputBytes: 2 * MAX_CONTENT_BYTES },
  write: {
    kind: 'page',
    contentArgument: 'content',
    derivation: 'argument',
    derivationArgument: 'derived_from',
  },
  example: { page: 'projects/alpha', content: '# Alpha\n\nDone.\n', base_version: 'v1.…' },
  input: z.object({
    page: pageArgument,
    content: z.string().describe('The whole new text'),
    base_version: z.string().max(1_000).optional().describe('The version your text is based on'),
    if_match: ifMatchArgument,
    derived_from: derivedFromArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ ...pageFacts, ...changeFacts }),
  async handler(use: WorkspaceMeans, input, call) {
    const revised = await revisePage(use, call.ticket, {
      page: input.page,
      content: input.content,
      baseVersion: input.base_version,
      ifMatch: input.if_match,
    });
    return describeRevised(revised, await pathOf(use, call.read, revised.page.id));
  },
});
