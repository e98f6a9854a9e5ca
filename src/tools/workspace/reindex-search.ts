/** Brings the indexes of words and of meaning up to date, or makes them anew. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { IndexMeans } from './index-means.ts';
import { workspaceOf } from './page-shape.ts';

export const reindexSearch = defineTool({
  name: 'reindex_search',
  title: 'Index pages',
  summary:
    'Indexes words and meaning of pages for a while and says how far it is; call it again until it is done.',
  roles: ['owner'],
  reach: 'orchestrator',
  scopes: ['workspace.write'],
  effect: 'external_side_effect',
  limits: { timeoutMs: 90_000 },
  example: { seconds: 20 },
  input: z.object({
    anew: z.boolean().default(false).describe('Take nothing for indexed and begin again'),
    seconds: z.int().min(1).max(60).default(20).describe('How long to work at most'),
  }),
  output: z.object({
    pages: z.int(),
    words: z.int().describe('Pages whose words are indexed by the rules of this release'),
    indexed: z.int().describe('Pages that are indexed by meaning'),
    done: z.boolean(),
  }),
  async handler(use: IndexMeans, { anew, seconds }, call) {
    const workspace = workspaceOf(call);
    const untilMs = seconds * 1000;
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(untilMs)]);
    const wish = { anew, untilMs, signal };
    const tell = (done: number, total: number): void => call.progress({ progress: done, total });
    const both = use.indexer ? 2 : 1;
    const words = await use.words.work(workspace, {
      ...wish,
      onStep: ({ pages, indexed }) => tell(indexed, pages * both),
    });
    const meaning = await use.indexer?.work(workspace, {
      ...wish,
      onStep: ({ pages, indexed }) => tell(words.indexed + indexed, words.pages + pages),
    });
    const { pages, indexed } = meaning ?? { pages: words.pages, indexed: 0 };
    const done = words.indexed >= words.pages && (!meaning || indexed >= pages);
    return { pages, words: words.indexed, indexed, done };
  },
});
