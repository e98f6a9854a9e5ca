/** Makes a new owner's token. */
import { defineCommand } from '../../command.ts';

export const rotate = defineCommand({
  path: ['token', 'rotate'],
  summary: "Make a new owner's token; the old one is void at once",
  examples: ['token rotate'],
  async run({ call, output }) {
    const answer = await call('regenerate_mcp_token');
    output.data(answer, () => String(answer.token));
  },
});
