/** Makes a page out of what this run has read. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { createPage as create } from '../../domain/workspace/create-page.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import { factsOf, idempotencyArgument, pageArgument, pageFacts } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const createDerivedPage = defineTool({
  name: 'create_derived_page',
  title: 'Create a derived page',
  summary:
    'Creates a page made from what this run has read: every page it was shown becomes a source, or those that derived_from names.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  limits: { inputBytes: 2 * MAX_CONTENT_BYTES },
  write: {
    kind: 'page',
    contentArgument: 'content',
    derivation: 'read-trail',
    derivationArgument: 'derived_from',
  },
  example: { title: 'Summary of the week', content: 'See [[Alpha]] and [[Beta]].\n' },
  input: z.object({
    title: z.string().max(1_000),
    content: z.string().describe('Markdown'),
    parent: pageArgument.nullable().optional(),
    tags: z.array(z.string()).optional(),
    derived_from: z
      .array(z.string().min(1).max(2_000))
      .max(100)
      .optional()
      .describe('Only these of what this run has read: pages, or memory:<id>'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ ...pageFacts, parent: z.string().nullable(), words: z.int() }),
  async handler(use: WorkspaceMeans, { title, content, parent, tags }, call) {
    const page = await create(use, call.ticket, { title, content, parent, tags });
    return {
      ...factsOf(page, await pathOf(use, call.read, page.id)),
      parent: page.parent,
      words: page.words,
    };
  },
});
