/** Takes back everything one run did. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { effectsOf } from '../../domain/workspace/undo-run/effects.ts';
import type { UndoStep } from '../../domain/workspace/undo-run/step.ts';
import { undoRun as undo } from '../../domain/workspace/undo-run/undo-run.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { idempotencyArgument } from './page-shape.ts';
import { dryRunArgument } from './relink-shape.ts';

const SHOWN_PAGES = 200;

export const undoRun = defineTool({
  name: 'undo_run',
  title: 'Undo a run',
  summary:
    'Takes back everything one run wrote: pages it made go to the trash; texts, names, places, files and memory become what they were. What others did since stays, and is reported if in the way.',
  scopes: ['workspace.propose'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  limits: { timeoutMs: 300_000 },
  write: { kind: 'page', derivation: 'none' },
  example: { run: 'client:summary-bot/nightly', dry_run: true },
  input: z.object({
    run: z.string().min(1).max(1_000).describe('From get_timeline or get_page_history'),
    dry_run: dryRunArgument,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    run: z.string(),
    dry_run: z.boolean(),
    undo_run: z.string().optional().describe('The run that the undoing is: undo_run takes it back'),
    undone: z.int().describe('How many things were taken back'),
    kept: z.int().describe('How many could not be without touching what others did'),
    page_count: z.int(),
    pages: z
      .array(
        z.object({
          page: z.string().nullable().describe('null = what is no page: files, memory, permissions'),
          title: z.string().describe('Of a page; of a file its path'),
          outcome: z.enum(['undone', 'partly', 'kept', 'nothing']),
          kinds: z.array(z.string()).describe('What the run had done to it'),
          effects: z.array(z.string()).describe('What taking that back does, or would do'),
          lines_added: z.int(),
          lines_removed: z.int(),
          reasons: z.array(z.string()).describe('Why something stays, or is not exactly as before'),
        }),
      )
      .describe(`The first ${SHOWN_PAGES}; those where something stays come first`),
  }),
  async handler(use: AttachmentMeans, input, call) {
    const { run, steps } = await undo(use, call.ticket, {
      run: input.run,
      dryRun: input.dry_run,
      blobs: {
        has: (digest) => use.blobs.has(digest),
        wasSent: (digest) => use.sent.has(call.caller.principal, digest),
        keptMs: use.blobsKeptMs(),
      },
    });
    const pages = [...Map.groupBy(steps, ({ page, title }) => page ?? title).values()].map(describePage);
    const ordered = [...pages.filter(isKept), ...pages.filter((page) => !isKept(page))];
    return {
      run: input.run,
      dry_run: input.dry_run,
      ...(!input.dry_run && { undo_run: run }),
      undone: steps.filter(({ outcome }) => outcome === 'undone').length,
      kept: steps.filter(({ outcome }) => outcome === 'kept').length,
      page_count: pages.length,
      pages: ordered.slice(0, SHOWN_PAGES),
    };
  },
});

const isKept = ({ outcome }: { outcome: string }): boolean => outcome === 'kept' || outcome === 'partly';

function describePage(steps: readonly UndoStep[]) {
  const count = (wanted: UndoStep['outcome']): number =>
    steps.filter(({ outcome }) => outcome === wanted).length;
  const left = count('undone') > 0 ? ('partly' as const) : ('kept' as const);
  const clean = count('undone') > 0 ? ('undone' as const) : ('nothing' as const);
  return {
    page: steps[0]?.page ?? null,
    title: steps.at(-1)?.title ?? '',
    outcome: count('kept') > 0 ? left : clean,
    effects: [...effectsOf(steps)],
    kinds: [...new Set(steps.map(({ kind }) => kind))],
    lines_added: steps.reduce((sum, step) => sum + (step.linesAdded ?? 0), 0),
    lines_removed: steps.reduce((sum, step) => sum + (step.linesRemoved ?? 0), 0),
    reasons: [...new Set(steps.flatMap(({ reason }) => reason ?? []))].slice(0, 5),
  };
}
