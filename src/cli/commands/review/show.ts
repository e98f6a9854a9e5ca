/** One proposal with its diff. */
import { defineCommand, flagOf, textOf } from '../../command.ts';
import { proposalText, type ShownProposal } from '../../proposal-text.ts';

export const showReview = defineCommand({
  path: ['review', 'show'],
  summary: 'Show one proposal: by whom, from what, the diff, and whether it still fits the page',
  args: [{ name: 'proposal', summary: 'Its id, from "review list"' }],
  options: [
    {
      name: 'text',
      summary: 'Only the text that would land, to edit it and give it to "review accept --file"',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['review show 0198c2d4-…', 'review show 0198c2d4-… --text > edited.md'],
  async run({ call, output, json }, input) {
    const whole = flagOf(input, 'text');
    const wish = { proposal: textOf(input, 'proposal'), content: whole };
    const answer = await call('read_proposal', wish, textOf(input, 'workspace'));
    const shown = answer as unknown as ShownProposal;
    if (whole && !json) return output.raw(shown.text?.content ?? '');
    output.diff(answer, () => proposalText(shown));
  },
});
