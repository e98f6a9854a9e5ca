/** Why a caller may or may not use a tool. */
import { defineCommand, textOf } from '../../command.ts';

export const explain = defineCommand({
  path: ['policy', 'explain'],
  summary: 'Show what every gate answers for a caller and a tool',
  args: [
    { name: 'caller', summary: 'A client, "owner", or "role:" and a role' },
    { name: 'tool', summary: 'A tool, prompt or resource' },
  ],
  examples: ['policy explain claude-code delete_page', 'policy explain role:client get_mcp_token'],
  async run({ call, output }, input) {
    const answer = await call('policy.explain', {
      caller: textOf(input, 'caller'),
      tool: textOf(input, 'tool'),
    });
    output.data(answer, () => {
      const gates = answer.gates as { gate: string; allowed: boolean; reason: string }[];
      const lines = gates.map((gate) => `${gate.allowed ? 'yes' : 'NO '}  ${gate.gate}: ${gate.reason}`);
      return [...lines, answer.allowed ? 'allowed' : 'denied'].join('\n');
    });
  },
});
