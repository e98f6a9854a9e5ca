/** Says how far the indexes of words and of meaning are. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MEANING_STATES, meaningState } from '../../domain/workspace/search-candidates.ts';
import { workspaceOf } from './page-shape.ts';

export const getSearchStatus = defineTool({
  name: 'get_search_status',
  title: 'Search status',
  summary:
    'Says which embedder search by meaning uses, how many pages it has indexed, and of how many the words are.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({
    embedder: z.string().nullable().describe('Null: there is search by words only'),
    meaning: z.enum(MEANING_STATES),
    pages: z.int(),
    indexed: z.int().describe('Pages whose vectors are of the text as it is now'),
    words: z
      .int()
      .describe(
        'Pages whose words are indexed by the rules of this release; the others are found as before it',
      ),
  }),
  async handler(use: WorkspaceMeans, _input, call) {
    const workspace = workspaceOf(call);
    const embedder = use.semantic?.model ?? null;
    const counts = await use.vectors.counts(call.read, workspace, embedder ?? '');
    const { indexed: words } = await use.search.counts(call.read, workspace);
    return { embedder, meaning: await meaningState(use, call.read, workspace), ...counts, words };
  },
});
