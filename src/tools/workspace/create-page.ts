/** Makes a page. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { createPage as create } from '../../domain/workspace/create-page.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import {
  derivedFromArgument,
  factsOf,
  idempotencyArgument,
  pageArgument,
  pageFacts,
  propertiesArgument,
} from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const createPage = defineTool({
  name: 'create_page',
  title: 'Create a page',
  summary: 'Creates a page. What an agent creates is a candidate, and marked as one.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  limits: { inputBytes: 2 * MAX_CONTENT_BYTES },
  write: {
    kind: 'page',
    contentArgument: 'content',
    derivation: 'argument',
    derivationArgument: 'derived_from',
  },
  example: { title: 'Alpha', content: '# Alpha\n\nSee [[Beta]].\n', parent: 'projects' },
  input: z.object({
    title: z.string().max(1_000),
    content: z.string().optional().describe('Markdown'),
    parent: pageArgument.nullable().optional(),
    icon: z.string().max(64).optional(),
    properties: propertiesArgument,
    tags: z.array(z.string()).optional(),
    template: pageArgument
      .optional()
      .describe(
        'A page with the property template: true, whose text the new one begins with unless content is given; {{title}}, {{date}} and {{time}} are filled in',
      ),
    derived_from: derivedFromArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ ...pageFacts, parent: z.string().nullable(), words: z.int() }),
  async handler(use: WorkspaceMeans, input, call) {
    const page = await create(use, call.ticket, {
      title: input.title,
      content: input.content,
      parent: input.parent,
      icon: input.icon,
      properties: input.properties,
      tags: input.tags,
      template: input.template,
    });
    return {
      ...factsOf(page, await pathOf(use, call.read, page.id)),
      parent: page.parent,
      words: page.words,
    };
  },
});
