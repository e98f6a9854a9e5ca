/** Lists what is remembered. */
import { defineCommand, flagOf, given, numberOf, textOf } from '../../command.ts';
import { memoryTable, TIER_OPTION } from '../../memory-table.ts';

export const list = defineCommand({
  path: ['memory', 'list'],
  summary: 'List what is remembered, newest first',
  options: [
    TIER_OPTION,
    { name: 'all', summary: 'Also what holds no more' },
    { name: 'waiting', summary: 'Also what waits for review' },
    { name: 'budget', value: 'tokens', summary: 'As much as fits into so many' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['memory list', 'memory list --tier semantic --waiting'],
  async run({ call, output }, input) {
    const tier = textOf(input, 'tier');
    const wish = given({
      tiers: tier === undefined ? undefined : [tier],
      include_superseded: flagOf(input, 'all'),
      include_candidates: flagOf(input, 'waiting'),
      budget: numberOf(input, 'budget') ?? 20_000,
    });
    const answer = await call('memory_search', wish, textOf(input, 'workspace'));
    output.data(answer, () => memoryTable(answer.items));
  },
});
