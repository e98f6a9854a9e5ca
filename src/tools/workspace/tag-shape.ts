/** How tools about the tags of one page look. */
import { z } from 'zod';
import type { ReadContext } from '../../catalogue/call-context.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import type { Revised } from '../../domain/workspace/revise-page.ts';
import { factsOf, idempotencyArgument, ifMatchArgument, pageArgument, pageFacts } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const tagArgument = z.string().min(1).max(200);

export const taggingArguments = z.object({
  page: pageArgument,
  tags: z.array(tagArgument).min(1).max(100),
  if_match: ifMatchArgument,
  idempotency_key: idempotencyArgument,
});

export const taggedFacts = z.object({
  ...pageFacts,
  changed: z.boolean(),
  previous_version: z.string(),
  tags: z.array(z.string()).describe('All tags that the page has now'),
});

export async function describeTagged(
  use: WorkspaceMeans,
  call: ReadContext,
  { page, changed, previousVersion }: Revised,
) {
  return {
    ...factsOf(page, await pathOf(use, call.read, page.id)),
    changed,
    previous_version: previousVersion,
    tags: [...page.tags],
  };
}
