/** Searches memory. */
import { defineCommand, flagOf, given, numberOf, textOf } from '../../command.ts';
import { memoryTable, TIER_OPTION } from '../../memory-table.ts';

export const search = defineCommand({
  path: ['memory', 'search'],
  summary: 'Search what is remembered',
  args: [{ name: 'query', summary: 'Words', many: true }],
  options: [
    TIER_OPTION,
    { name: 'as-of', value: 'date', summary: 'What held then' },
    { name: 'all', summary: 'Also what holds no more' },
    { name: 'waiting', summary: 'Also what waits for review' },
    { name: 'budget', value: 'tokens', summary: 'As much as fits into so many' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['memory search release train', 'memory search mayor --tier semantic --as-of 2026-01-31'],
  async run({ call, output }, input) {
    const tier = textOf(input, 'tier');
    const wish = given({
      query: [input.args.query ?? []].flat().join(' '),
      tiers: tier === undefined ? undefined : [tier],
      as_of: textOf(input, 'as-of'),
      include_superseded: flagOf(input, 'all'),
      include_candidates: flagOf(input, 'waiting'),
      budget: numberOf(input, 'budget'),
    });
    const answer = await call('memory_search', wish, textOf(input, 'workspace'));
    const { superseded, candidates } = answer.hidden as { superseded: number; candidates: number };
    output.data(answer, () => memoryTable(answer.items));
    if (superseded > 0) output.note(`${superseded} that hold no more are hidden; --all shows them`);
    if (candidates > 0) output.note(`${candidates} wait for review; --waiting shows them`);
  },
});
