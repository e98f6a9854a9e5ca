/** Takes a client's token away. */
import { defineCommand, textOf } from '../../command.ts';

export const revoke = defineCommand({
  path: ['client', 'revoke'],
  summary: "Take a client's token away at once, also from calls under way",
  args: [{ name: 'name', summary: 'The client' }],
  examples: ['client revoke claude-code'],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const answer = await call('client.revoke', { name });
    output.data(answer, () => `"${name}" is revoked`);
  },
});
