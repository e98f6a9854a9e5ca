/** Lists workspaces. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

export const list = defineCommand({
  path: ['workspace', 'list'],
  summary: 'List workspaces and which is the current one',
  examples: ['workspace list'],
  async run({ call, output }) {
    const answer = await call('workspace.list');
    output.data(answer, () => {
      const all = answer.workspaces as { id: string; name: string; open: boolean; current: boolean }[];
      const state = (one: (typeof all)[number]): string =>
        one.current ? 'current' : one.open ? 'open' : 'closed';
      return table(
        ['NAME', 'STATE', 'ID'],
        all.map((one) => [one.name, state(one), one.id]),
      );
    });
  },
});
