/** An author's no. */
import { defineCommand, given, textOf } from '../../command.ts';
import { decide, tellDecision } from '../../review-outcomes.ts';

export const rejectReview = defineCommand({
  path: ['review', 'reject'],
  summary: 'Reject a proposal, or with --run everything one run proposed; new pages go to the trash',
  args: [{ name: 'proposal', summary: 'Its id, from "review list"', optional: true }],
  options: [
    { name: 'run', value: 'run', summary: 'Everything of this run that waits' },
    { name: 'reason', value: 'text', summary: 'Kept with the proposal, for whoever made it' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: [
    'review reject 0198c2d4-… --reason "The numbers are of last year"',
    'review reject --run client:my-agent/nightly',
  ],
  async run(context, input) {
    const wish = given({
      proposal: textOf(input, 'proposal'),
      run: textOf(input, 'run'),
      reason: textOf(input, 'reason'),
    });
    const answer = await decide(context, 'reject_proposal', wish, textOf(input, 'workspace'));
    tellDecision(context.output, 'rejected', answer);
  },
});
