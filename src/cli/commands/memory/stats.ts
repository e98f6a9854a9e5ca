/** Counts what is remembered. */
import { defineCommand, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const stats = defineCommand({
  path: ['memory', 'stats'],
  summary: 'Count what is remembered, tier by tier',
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['memory stats'],
  async run({ call, output }, input) {
    const answer = await call('memory_stats', {}, textOf(input, 'workspace'));
    output.data(answer, () => {
      const tiers = answer.tiers as Record<string, string | number>[];
      const keys = ['tier', 'in_force', 'superseded', 'candidates', 'trashed', 'stale', 'bytes'];
      const rows = tiers.map((tier) => keys.map((key) => String(tier[key])));
      return table(['TIER', 'IN FORCE', 'SUPERSEDED', 'WAITING', 'TRASHED', 'STALE', 'BYTES'], rows);
    });
  },
});
