/** How it stands. */
import { defineCommand } from '../command.ts';
import { facts } from '../output.ts';

export const status = defineCommand({
  path: ['status'],
  summary: 'Show whether the server runs and how it is set; never the token',
  examples: ['status', 'status --json'],
  async run({ call, output }) {
    const answer = await call('get_mcp_status');
    // The port that is set is not the one listened on when that was given otherwise: the address says it.
    const { port, ...rest } = answer;
    output.data(answer, () => facts(answer.url === null ? { ...rest, port } : rest));
  },
});
