/** What waits for review. */
import { defineCommand, given, numberOf, textOf } from '../../command.ts';
import { table } from '../../output.ts';
import type { ShownProposal } from '../../proposal-text.ts';

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
    { name: 'limit', value: 'number', summary: 'At most this many, 100 unless told' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['review list', 'review list --run client:my-agent/nightly'],
  async run({ call, output }, input) {
    const wish = given({
      run: textOf(input, 'run'),
      page: textOf(input, 'page'),
      caller: textOf(input, 'caller'),
      origin: textOf(input, 'origin'),
      state: textOf(input, 'state'),
      limit: numberOf(input, 'limit') ?? 100,
    });
    const answer = await call('list_proposals', wish, textOf(input, 'workspace'));
    const proposals = answer.proposals as ShownProposal[];
    output.data(answer, () => {
      if (proposals.length === 0) return 'Nothing waits for review';
      const rows = proposals.map((one) => [
        one.id,
        one.created_at.slice(0, 16).replace('T', ' '),
        one.caller,
        one.state,
        one.summary,
        one.run,
      ]);
      return table(['ID', 'SINCE', 'BY', 'STATE', 'WHAT', 'RUN'], rows);
    });
    if (answer.next_cursor !== undefined) output.note('There is more; give --limit or a narrower choice');
  },
});
