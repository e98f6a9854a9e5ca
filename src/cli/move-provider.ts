/** A command that moves a provider to another state, with a reason. */
import { type Command, defineCommand, reasonIn, textOf } from './command.ts';
import { reportProvider, type ShownProvider } from './provider-report.ts';

export const moveCommand = (word: string, summary: string, reason: string): Command =>
  defineCommand({
    path: ['provider', word],
    summary,
    args: [{ name: 'id', summary: 'The provider' }],
    options: [{ name: 'reason', value: 'text', summary: 'Why; kept with the change' }],
    examples: [`provider ${word} files --reason "${reason}"`],
    async run({ call, output }, input) {
      const answer = await call(`provider.${word}`, {
        id: textOf(input, 'id'),
        reason: reasonIn(input),
      });
      output.data(answer, () => reportProvider(answer as unknown as ShownProvider));
    },
  });
