/** Brings the index by meaning up to date, or makes it anew. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { workspaceOf } from './page-shape.ts';

export const reindexSearch = defineTool({
  name: 'reindex_search',
  title: 'Index pages by meaning',
  summary: 'Indexes pages by meaning for a while and says how far it is; call it again until it is done.',
  roles: ['owner'],
  reach: 'orchestrator',
  scopes: ['workspace.write'],
  effect: 'external_side_effect',
  limits: { timeoutMs: 90_000 },
  example: { seconds: 20 },
  input: z.object({
    anew: z.boolean().default(false).describe('Forget what is indexed and begin again'),
    seconds: z.int().min(1).max(60).default(20).describe('How long to work at most'),
  }),
  output: z.object({ pages: z.int(), indexed: z.int(), done: z.boolean() }),
  async handler(use: WorkspaceMeans, { anew, seconds }, call) {
    if (!use.indexer)
      throw new SluiceError('unavailable', 'No embedder is active, so there is nothing to index');
    const step = await use.indexer.work(workspaceOf(call), {
      anew,
      untilMs: seconds * 1000,
      signal: call.signal,
      onStep: ({ pages, indexed }) => call.progress({ progress: indexed, total: pages }),
    });
    return { ...step, done: step.indexed >= step.pages };
  },
});
