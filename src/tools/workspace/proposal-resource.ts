/** What waits for review by URI, for whoever wants to be told of it. */
import { defineResource } from '../../catalogue/resource-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { listProposals } from '../../domain/workspace/proposals/list-proposals.ts';
import { REVIEW_QUEUE } from '../../domain/workspace/proposals/review-queue.ts';
import { workspaceOf } from './page-shape.ts';
import { describeProposal } from './proposal-shape.ts';

const SHOWN = 100;

export const proposalResource = defineResource({
  name: 'workspace_proposals',
  title: 'Proposals',
  summary: 'The newest hundred changes and new pages that wait for an author, as JSON.',
  uri: 'sluice://workspace/proposals',
  mimeType: 'application/json',
  scopes: ['workspace.read'],
  follows: async () => REVIEW_QUEUE,
  async handler(use: WorkspaceMeans, _variables, call) {
    const wish = { state: 'pending', limit: SHOWN, now: call.at } as const;
    const { proposals, nextCursor } = await listProposals(use, call.read, workspaceOf(call), wish);
    const text = JSON.stringify({
      proposals: proposals.map(describeProposal),
      truncated: nextCursor !== undefined,
    });
    return { mimeType: 'application/json', text };
  },
});
