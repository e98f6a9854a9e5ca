/** Lists clients. */
import { defineCommand, flagOf } from '../../command.ts';
import { table } from '../../output.ts';

interface Client {
  name: string;
  role: string;
  origin: string;
  state: string;
  workspace: string | null;
  expires_at: string | null;
}

export const list = defineCommand({
  path: ['client', 'list'],
  summary: 'List clients with their roles and states',
  options: [{ name: 'all', summary: 'Revoked ones as well' }],
  examples: ['client list', 'client list --all --json'],
  async run({ call, output }, input) {
    const answer = await call('client.list', { all: flagOf(input, 'all') });
    output.data(answer, () => {
      const clients = answer.clients as Client[];
      if (clients.length === 0) return 'No clients yet; "sluice connect claude-code" adds one';
      const rows = clients.map((one) => [
        one.name,
        one.role,
        one.origin,
        one.state,
        one.workspace ?? '–',
        one.expires_at ?? 'never',
      ]);
      return table(['NAME', 'ROLE', 'ORIGIN', 'STATE', 'WORKSPACE', 'EXPIRES'], rows);
    });
  },
});
