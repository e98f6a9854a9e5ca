/** Takes back a rename or a move. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { undoChange as undo } from '../../domain/workspace/undo-change.ts';
import { idempotencyArgument, pageFacts } from './page-shape.ts';
import { dryRunArgument, placingFacts, relinkFacts } from './relink-shape.ts';

export const undoChange = defineTool({
  name: 'undo_change',
  title: 'Undo a rename or move',
  summary:
    'Takes one rename or move back, all or nothing: title, slug, place, aliases and every link it rewrote. What others changed since stays.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'page', derivation: 'none' },
  example: { change: 42, dry_run: true },
  input: z.object({
    change: z.int().min(1).describe('As rename_page, move_page or undo_change answered it'),
    dry_run: dryRunArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...pageFacts,
    parent: z.string().nullable(),
    dry_run: z.boolean(),
    ...relinkFacts,
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const undone = await undo(use, call.ticket, { change: input.change, dryRun: input.dry_run });
    return { ...placingFacts(undone), parent: undone.page.parent, dry_run: input.dry_run };
  },
});
