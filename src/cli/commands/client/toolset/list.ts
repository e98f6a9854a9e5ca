/** Lists toolsets. */
import { defineCommand } from '../../../command.ts';
import { table } from '../../../output.ts';

interface Toolset {
  readonly name: string;
  readonly tools: readonly string[];
  readonly pinned: readonly string[];
  readonly clients: readonly string[];
}

export const list = defineCommand({
  path: ['client', 'toolset', 'list'],
  summary: 'List toolsets with what is in them and who has them',
  examples: ['client toolset list', 'client toolset list --json'],
  async run({ call, output }) {
    const answer = await call('client.toolset.list', {});
    output.data(answer, () => {
      const toolsets = answer.toolsets as Toolset[];
      if (toolsets.length === 0) return 'No toolsets yet; "sluice client toolset set" makes one';
      const rows = toolsets.map(({ name, tools, pinned, clients }) =>
        [[name], tools, pinned, clients].map((words) => words.join(', ') || '–'),
      );
      return table(['NAME', 'TOOLS', 'PINNED', 'CLIENTS'], rows);
    });
  },
});
