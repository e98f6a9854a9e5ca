/** Shows what a provider's program wrote to its standard error. */
import { defineCommand, textOf } from '../../command.ts';

export const logs = defineCommand({
  path: ['provider', 'logs'],
  summary: "Show the newest of what a provider's program wrote to its standard error",
  args: [{ name: 'id', summary: 'The provider' }],
  examples: ['provider logs files'],
  async run({ call, output }, input) {
    const answer = await call('provider.logs', { id: textOf(input, 'id') });
    output.data(answer, () => String(answer.stderr) || 'It has said nothing since Sluice was started');
  },
});
