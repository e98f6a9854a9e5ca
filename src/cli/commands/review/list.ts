/** What waits for review. */
import { defineCommand, given, textOf } from '../../command.ts';
import { followList, limitOf } from '../../follow-list.ts';
import { table } from '../../output.ts';
import { type ShownProposal, stateWords } from '../../proposal-text.ts';

export const listReview = defineCommand({
  path: ['review', 'list'],
  summary:
    'List what waits for your yes: changes that were proposed and pages that agents made or that were imported',
  options: [
    { name: 'run', value: 'run', summary: 'Of one run' },
    { name: 'page', value: 'page', summary: 'For one page' },
    { name: 'caller', value: 'name', summary: 'By one client or agent' },
    {
      name: 'origin',
      value: 'origin',
      summary: 'What was imported, or what agents wrote',
      choices: ['authored', 'agent-produced', 'imported'],
    },
    {
      name: 'state',
      value: 'state',
      summary: 'What became of it instead: accepted, rejected, expired or all',
      choices: ['pending', 'accepted', 'rejected', 'expired', 'all'],
    },
    { name: 'limit', value: 'number', summary: 'At most this many, 100 unless told and up to 10000' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['review list', 'review list --run client:my-agent/nightly'],
  async run(context, input) {
    const wish = given({
      run: textOf(input, 'run'),
      page: textOf(input, 'page'),
      caller: textOf(input, 'caller'),
      origin: textOf(input, 'origin'),
      state: textOf(input, 'state'),
    });
    const { rows: proposals, answer } = await followList<ShownProposal>(context, 'list_proposals', wish, {
      name: 'proposals',
      limit: limitOf(input),
      workspace: textOf(input, 'workspace'),
    });
    context.output.data(answer, () => {
      if (proposals.length === 0) return 'Nothing waits for review';
      const rows = proposals.map((one) => [
        one.id,
        one.created_at.slice(0, 16).replace('T', ' '),
        one.caller,
        stateWords(one),
        one.summary,
        one.run,
      ]);
      return table(['ID', 'SINCE', 'BY', 'STATE', 'WHAT', 'RUN'], rows);
    });
    if (answer.next_cursor !== undefined)
      context.output.note('There is more; give a higher --limit or a narrower choice');
  },
});
