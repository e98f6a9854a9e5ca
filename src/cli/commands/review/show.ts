/** One proposal with its diff. */
import { defineCommand, flagOf, textOf } from '../../command.ts';
import { proposalText } from '../../proposal-text.ts';
import { readWhole } from '../../read-whole-proposal.ts';

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
  async run({ withHome, output, json }, input) {
    const whole = flagOf(input, 'text');
    const wish = { proposal: textOf(input, 'proposal'), content: whole };
    const shown = await withHome((home) => readWhole(home, wish, textOf(input, 'workspace')));
    if (whole && !json) return output.raw(shown.text?.content ?? '');
    output.diff({ ...shown }, () => proposalText(shown));
  },
});
