/** Switches a provider on again. */
import { defineCommand, textOf } from '../../command.ts';
import { notDiscovered, reportProvider, type ShownProvider } from '../../provider-report.ts';

export const enableProvider = defineCommand({
  path: ['provider', 'enable'],
  summary: 'Switch a disabled provider on again; it is discovered, and goes on if it is as it was admitted',
  args: [{ name: 'id', summary: 'The provider' }],
  examples: ['provider enable files'],
  async run({ call, output }, input) {
    const answer = (await call('provider.enable', { id: textOf(input, 'id') })) as unknown as ShownProvider;
    output.data(answer, () => reportProvider(answer));
    const failed = notDiscovered(answer);
    if (failed !== undefined) output.shortfall(failed);
  },
});
