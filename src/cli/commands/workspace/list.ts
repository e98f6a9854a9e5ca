/** Lists workspaces. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

export const list = defineCommand({
  path: ['workspace', 'list'],
  summary: 'List workspaces, which is the current one and which are read-only',
  examples: ['workspace list'],
  async run({ call, output }) {
    const answer = await call('workspace.list');
    output.data(answer, () => {
      const all = answer.workspaces as Listed[];
      return table(
        ['NAME', 'STATE', 'ID'],
        all.map((one) => [one.name, stateOf(one), one.id]),
      );
    });
  },
});

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  readonly current: boolean;
  readonly read_only: boolean;
}

function stateOf({ current, open, read_only }: Listed): string {
  const state = current ? 'current' : open ? 'open' : 'closed';
  return read_only ? `${state}, read-only` : state;
}
