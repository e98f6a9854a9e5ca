/** Empties the trash, or takes one deletion or page out of it for good. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { purgePages } from '../../domain/workspace/purge-page.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { idempotencyArgument } from './page-shape.ts';

export const purgePage = defineTool({
  name: 'purge_page',
  title: 'Purge from the trash',
  summary:
    'Takes pages in the trash away for good: one with what lies below it (page), one deletion (batch), or all that are old enough (older_than_days).',
  scopes: ['workspace.write'],
  effect: 'local_side_effect',
  destructive: true,
  write: { kind: 'page', derivation: 'none' },
  example: { batch: '0199…' },
  input: z.object({
    page: z.string().max(100).optional().describe('The id of one page in the trash'),
    batch: z.string().max(100).optional().describe('From delete_page or list_trash'),
    older_than_days: z.int().min(0).max(100_000).optional().describe('0 empties the trash'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    count: z.int(),
    purged: z.array(z.object({ id: z.string(), title: z.string() })),
    more: z.boolean().describe('There is more of it; call again'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { pages, more } = await purgePages(use, call.ticket, wishOf(input));
    const purged = pages.slice(0, 100).map(({ id, title }) => ({ id, title }));
    return { count: pages.length, purged, more };
  },
});

interface Input {
  readonly page?: string | undefined;
  readonly batch?: string | undefined;
  readonly older_than_days?: number | undefined;
}

function wishOf({ page, batch, older_than_days: olderThanDays }: Input) {
  const given = [
    ...(page === undefined ? [] : [{ page }]),
    ...(batch === undefined ? [] : [{ batch }]),
    ...(olderThanDays === undefined ? [] : [{ olderThanDays }]),
  ];
  const [wish] = given;
  if (wish && given.length === 1) return wish;
  throw invalidInput('page', 'or "batch" or "older_than_days" must be given, and one of them alone');
}
