/** How it stands. */
import { defineCommand } from '../command.ts';
import { facts } from '../output.ts';

export const status = defineCommand({
  path: ['status'],
  summary: 'Show whether the server runs and how it is set; never the token',
  examples: ['status', 'status --json'],
  async run({ call, output }) {
    const answer = await call('get_mcp_status');
    output.data(answer, () => facts(answer));
  },
});
