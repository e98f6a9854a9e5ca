/** Takes pages out of the trash. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { restorePages } from '../../domain/workspace/restore-page.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { idempotencyArgument } from './page-shape.ts';
import { pathOf } from './path-of.ts';

export const restorePage = defineTool({
  name: 'restore_page',
  title: 'Restore from the trash',
  summary: 'Restores everything one deletion removed (batch), or one page with what lay below it (page).',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'page', derivation: 'none' },
  example: { batch: '0199…' },
  input: z.object({
    batch: z.string().max(100).optional().describe('From delete_page or list_trash'),
    page: z.string().max(100).optional().describe('The id of one page in the trash'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    batch: z.string(),
    count: z.int(),
    restored: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        path: z.string(),
        note: z.string().optional().describe('Why it is not exactly where it was'),
      }),
    ),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const { batch, page } = input;
    if ((batch === undefined) === (page === undefined))
      throw invalidInput('batch', 'or "page" must be given, not both');
    const wish = batch === undefined ? { page: page ?? '' } : { batch };
    const done = await restorePages(use, call.ticket, wish);
    const shown = [];
    for (const { page: restored, note } of done.restored.slice(0, 100)) {
      const path = await pathOf(use, call.read, restored.id);
      shown.push({ id: restored.id, title: restored.title, path, ...(note !== undefined && { note }) });
    }
    return { batch: done.batch, count: done.restored.length, restored: shown };
  },
});
