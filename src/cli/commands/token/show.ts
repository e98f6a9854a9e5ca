/** Prints the owner's token and nothing else. */
import { defineCommand } from '../../command.ts';

export const show = defineCommand({
  path: ['token', 'show'],
  summary: "Print the owner's token; over MCP it speaks as the author",
  examples: ['token show'],
  async run({ call, output }) {
    const answer = await call('get_mcp_token');
    output.data(answer, () => String(answer.token));
  },
});
