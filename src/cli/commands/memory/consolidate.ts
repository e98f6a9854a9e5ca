/** The upkeep of memory by hand. */
import { defineCommand, flagOf, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const consolidate = defineCommand({
  path: ['memory', 'consolidate'],
  summary: 'Do now what Sluice does every hour: sum up, propose what episodes have taught, empty old trash',
  options: [
    { name: 'dry-run', summary: 'Only say what it would do' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['memory consolidate --dry-run'],
  async run({ call, output }, input) {
    const wish = { dry_run: flagOf(input, 'dry-run') };
    const answer = await call('memory_consolidate', wish, textOf(input, 'workspace'));
    output.data(answer, () => {
      const made = ['statements', 'threads', 'runs', 'summaries', 'looks'].flatMap((what) =>
        (answer[what] as readonly { status: string; body: string }[]).map((item) => [
          what,
          item.status,
          item.body.split('\n')[0] ?? '',
        ]),
      );
      return made.length === 0 ? 'There is nothing to do' : table(['WHAT', 'STATUS', 'BEGINS WITH'], made);
    });
  },
});
