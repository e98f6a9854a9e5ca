/** Asks a provider anew what it shows. */
import { defineCommand, textOf } from '../../command.ts';
import { notDiscovered, reportProvider, type ShownProvider } from '../../provider-report.ts';

export const discover = defineCommand({
  path: ['provider', 'discover'],
  summary: 'Run or ask a provider once and say what it shows; also brings back one that was disabled',
  args: [{ name: 'id', summary: 'The provider' }],
  examples: ['provider discover files'],
  async run({ call, output }, input) {
    const id = textOf(input, 'id') ?? '';
    const answer = (await call('provider.discover', { id })) as unknown as ShownProvider;
    output.data(answer, () => reportProvider(answer));
    const failed = notDiscovered(answer);
    if (failed !== undefined) output.shortfall(failed);
  },
});
