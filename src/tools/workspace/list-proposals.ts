/** What waits for review. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { listProposals as list } from '../../domain/workspace/proposals/list-proposals.ts';
import { PROPOSAL_STATES } from '../../domain/workspace/proposals/proposal.ts';
import { ORIGINS } from '../../kernel/submission.ts';
import { cursorArgument, nextCursor, pageArgument, workspaceOf } from './page-shape.ts';
import { describeProposal, listedProposal } from './proposal-shape.ts';

export const listProposals = defineTool({
  name: 'list_proposals',
  title: 'List proposals',
  summary:
    'Lists what waits for an author, newest first: changes that agents and clients proposed, new pages they made, and pages that were imported. read_proposal shows one.',
  scopes: ['workspace.read'],
  effect: 'read_only',
  sandboxEligible: true,
  example: { state: 'pending' },
  input: z.object({
    state: z
      .enum([...PROPOSAL_STATES, 'all'])
      .default('pending')
      .describe('all = also what was decided or has expired'),
    run: z.string().min(1).max(1_000).optional().describe('Of one run'),
    page: pageArgument.optional(),
    caller: z.string().min(1).max(200).optional().describe('The name or id of whoever proposed it'),
    origin: z.enum(ORIGINS).optional().describe('imported = what imports brought'),
    limit: z.int().min(1).max(100).default(20),
    cursor: cursorArgument,
  }),
  output: z.object({ proposals: z.array(z.object(listedProposal)), next_cursor: nextCursor }),
  async handler(use: WorkspaceMeans, input, call) {
    const { proposals, nextCursor: next } = await list(use, call.read, workspaceOf(call), {
      state: input.state === 'all' ? undefined : input.state,
      run: input.run,
      page: input.page,
      caller: input.caller,
      origin: input.origin,
      limit: input.limit,
      cursor: input.cursor,
      now: call.at,
    });
    return {
      proposals: proposals.map(describeProposal),
      ...(next !== undefined && { next_cursor: next }),
    };
  },
});
