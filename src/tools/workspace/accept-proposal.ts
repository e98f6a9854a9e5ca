/** An author's yes. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { MAX_CONTENT_BYTES } from '../../domain/workspace/page.ts';
import { type Accepted, acceptProposal as accept } from '../../domain/workspace/proposals/accept-proposal.ts';
import { decideRun, openReview, type RunOutcomes } from '../../domain/workspace/proposals/review.ts';
import { seenInRun } from '../../domain/workspace/proposals/seen-by-reviewer.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { idempotencyArgument } from './page-shape.ts';
import {
  describeFailure,
  failure,
  proposalArgument,
  runArgument,
  runLimitArgument,
} from './proposal-shape.ts';

export const acceptProposal = defineTool({
  name: 'accept_proposal',
  title: 'Accept a proposal',
  summary:
    'Lets a proposed change land, merged into the page as it is now, or makes a new page canonical; with content or arguments of your own, edited. Give run to accept everything one run proposed.',
  scopes: ['review'],
  effect: 'local_side_effect',
  limits: { inputBytes: 2 * MAX_CONTENT_BYTES, timeoutMs: 300_000 },
  write: { kind: 'review', contentArgument: 'content', derivation: 'none' },
  example: { proposal: '0198…' },
  input: z.object({
    proposal: proposalArgument.optional(),
    run: runArgument,
    limit: runLimitArgument,
    content: z.string().optional().describe('The text you want instead; what you changed counts as yours'),
    version: z
      .string()
      .max(1_000)
      .optional()
      .describe(
        'The version of the page that you looked at; something newer is not accepted. Left out = what you read in this run, if you did',
      ),
    arguments: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Other values for arguments of the proposed call'),
    despite_changes: z
      .boolean()
      .default(false)
      .describe(
        'Also removes pages, and replaces memory, titles, places and files, that were changed after that was proposed',
      ),
    note: z.string().max(2_000).optional().describe('Kept with the proposal'),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    accepted: z.int(),
    refused: z.int(),
    outcomes: z.array(
      z.object({
        proposal: z.string(),
        outcome: z.enum(['accepted', 'refused']),
        page: z.string().nullable().optional(),
        version: z.string().nullable().optional(),
        error: failure.optional(),
      }),
    ),
    more: z.boolean().describe('The run has more to decide'),
  }),
  async handler(use: WorkspaceMeans, input, call) {
    const review = openReview(call.ticket);
    const wish = {
      content: input.content,
      version: input.version,
      arguments: input.arguments,
      note: input.note,
      despiteChanges: input.despite_changes,
      seen: await seenInRun(use, review),
    };
    const one = (proposal: string) =>
      accept(use, review, { ...wish, proposal }, (kept) => call.carryOut(kept));
    if (input.run === undefined) {
      if (input.proposal === undefined) throw invalidInput('proposal', 'is required, or "run"');
      const done = await one(input.proposal);
      return describe({ outcomes: [{ proposal: done.proposal.id, done }], more: false });
    }
    if (input.proposal !== undefined) throw invalidInput('run', 'goes without "proposal"');
    for (const field of ['content', 'version', 'arguments'] as const)
      if (input[field] !== undefined) throw invalidInput(field, 'is for a single proposal, not for a run');
    return describe(await decideRun(use, review, input.run, input.limit, one));
  },
});

function describe({ outcomes, more }: RunOutcomes<Accepted>) {
  const told = outcomes.map(({ proposal, done, error }) => ({
    proposal,
    outcome: done ? ('accepted' as const) : ('refused' as const),
    ...(done && { page: done.proposal.page, version: done.version }),
    ...(error && { error: describeFailure(error) }),
  }));
  const accepted = outcomes.filter(({ done }) => done).length;
  return { accepted, refused: outcomes.length - accepted, outcomes: told, more };
}
