/** An author's no. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { type Rejected, rejectProposal as reject } from '../../domain/workspace/proposals/reject-proposal.ts';
import { decideRun, openReview, type RunOutcomes } from '../../domain/workspace/proposals/review.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { idempotencyArgument } from './page-shape.ts';
import {
  describeFailure,
  failure,
  proposalArgument,
  runArgument,
  runLimitArgument,
} from './proposal-shape.ts';

export const rejectProposal = defineTool({
  name: 'reject_proposal',
  title: 'Reject a proposal',
  summary:
    'Turns a proposed change down and keeps the record of it; a new page goes to the trash, with new pages below it. Give run to reject everything one run proposed.',
  scopes: ['review'],
  effect: 'local_side_effect',
  limits: { timeoutMs: 300_000 },
  write: { kind: 'review', contentArgument: 'reason', derivation: 'none' },
  example: { proposal: '0198…', reason: 'The numbers are of last year' },
  input: z.object({
    proposal: proposalArgument.optional(),
    run: runArgument,
    limit: runLimitArgument,
    reason: z.string().max(2_000).optional().describe('Kept with the proposal, for whoever made it'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    rejected: z.int(),
    refused: z.int(),
    outcomes: z.array(
      z.object({
        proposal: z.string(),
        outcome: z.enum(['rejected', 'refused']),
        page: z.string().nullable().optional(),
        also: z.array(z.string()).optional().describe('New pages below it that went along'),
        batch: z.string().optional().describe('Names the deletion of the new page; give it to restore_page'),
        error: failure.optional(),
      }),
    ),
    more: z.boolean().describe('The run has more to decide'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const review = openReview(call.ticket);
    const one = (proposal: string) => reject(use, review, proposal, input.reason);
    if (input.run === undefined) {
      if (input.proposal === undefined) throw invalidInput('proposal', 'is required, or "run"');
      const done = await one(input.proposal);
      return describe({ outcomes: [{ proposal: done.proposal.id, done }], more: false });
    }
    if (input.proposal !== undefined) throw invalidInput('run', 'goes without "proposal"');
    return describe(await decideRun(use, review, input.run, input.limit, one));
  },
});

function describe({ outcomes, more }: RunOutcomes<Rejected>) {
  const told = outcomes.map(({ proposal, done, error }) => ({
    proposal,
    outcome: done ? ('rejected' as const) : ('refused' as const),
    ...(done && { page: done.proposal.page }),
    ...(done && done.also.length > 0 && { also: done.also.map(({ id }) => id) }),
    ...(done?.batch !== undefined && { batch: done.batch }),
    ...(error && { error: describeFailure(error) }),
  }));
  const rejected = outcomes.filter(({ done }) => done).length;
  return { rejected, refused: outcomes.length - rejected, outcomes: told, more };
}
