/** Makes a page say again what it said at an earlier version. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { restoreVersion as restore } from '../../domain/workspace/restore-version.ts';
import { factsOf, idempotencyArgument, pageArgument, pageFacts } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const restoreVersion = defineTool({
  name: 'restore_version',
  title: 'Restore an earlier version',
  summary:
    'Makes a page say again what it said at an earlier version, as a new change: nothing is lost, and each block is whose it was.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'page', derivation: 'none' },
  example: { page: 'projects/alpha', version: 'v1.…', if_match: 'v1.…' },
  input: z.object({
    page: pageArgument,
    version: z.string().min(1).max(1_000).describe('From get_page_history'),
    if_match: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The version the page has now, from read_page; refuses when it has moved on'),
    base_version: z
      .string()
      .min(1)
      .max(1_000)
      .optional()
      .describe('The same, instead; what others changed since is kept'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    previous_version: z.string(),
    changed: z.boolean(),
    lines_added: z.int(),
    lines_removed: z.int(),
    diff: z.string().describe('The first changed lines'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { page, version, if_match: ifMatch, base_version: baseVersion } = input;
    const done = await restore(use, call.ticket, { page, version, ifMatch, baseVersion });
    const { lines_added, lines_removed, diff } = done.change;
    return {
      ...factsOf(done.page, await pathOf(use, call.read, done.page.id)),
      previous_version: done.previousVersion,
      changed: done.changed,
      lines_added,
      lines_removed,
      diff,
    };
  },
});
