/** Reads one memory whole. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { lineOf } from '../../domain/memory/line-of.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { shownSources, withShownSuccessors } from '../../domain/memory/shown-sources.ts';
import { viewerOf, visibleItem } from '../../domain/memory/viewer.ts';
import { asRead, factsOf, memoryArgument, wholeItem, wholeItemOf, workspaceOf } from './memory-shape.ts';

export const memoryRead = defineTool({
  name: 'memory_read',
  title: 'Read a memory',
  summary:
    'One memory whole: its words, where it came from, when it held, and what held before and after it.',
  scopes: ['memory.read'],
  effect: 'read_only',
  idempotent: true,
  sandboxEligible: true,
  example: { id: '0197f0a0-0000-7000-8000-000000000000' },
  input: z.object({ id: memoryArgument }),
  output: z.object({
    ...wholeItem,
    line: z
      .array(z.object({ id: z.string(), version: z.string(), status: z.string(), valid_from: z.string() }))
      .describe('Everything said about the same, oldest first'),
  }),
  async handler(use: MemoryMeans, input, call) {
    const viewer = viewerOf(call.caller);
    const workspace = workspaceOf(call);
    const found = await visibleItem(use, call.read, workspace, viewer, input.id);
    const [item = found] = await withShownSuccessors(use, call.read, [found]);
    const line = await lineOf(use, call.read, item, viewer);
    call.noteRead(asRead(item));
    const sources = await shownSources(use, call.read, item, viewer);
    return {
      ...wholeItemOf({ ...item, sources }, call.at),
      line: line.map((one) => {
        const { id, version, status } = factsOf(one, call.at);
        return { id, version, status, valid_from: new Date(one.validFrom).toISOString() };
      }),
    };
  },
});
