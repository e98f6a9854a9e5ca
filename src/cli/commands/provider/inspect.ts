/** Shows one provider with everything about it. */
import { defineCommand, textOf } from '../../command.ts';
import { reportProvider, type ShownProvider } from '../../provider-report.ts';

export const inspect = defineCommand({
  path: ['provider', 'inspect'],
  summary: 'Show a provider with its tools, pins, findings, drift, processes and history',
  args: [{ name: 'id', summary: 'The provider' }],
  examples: ['provider inspect files', 'provider inspect files --json'],
  async run({ call, output }, input) {
    const answer = await call('provider.inspect', { id: textOf(input, 'id') });
    output.data(answer, () => reportProvider(answer as unknown as ShownProvider));
  },
});
