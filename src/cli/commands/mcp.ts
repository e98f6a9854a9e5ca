/** MCP over standard input and output, for clients that start their servers themselves. */
import { invalidInput } from '../../kernel/errors.ts';
import { type CommandInput, defineCommand, textOf } from '../command.ts';

const NAME_FORMS = ['dotted', 'underscore'] as const;

export const mcp = defineCommand({
  path: ['mcp'],
  summary: 'Speak MCP over standard input and output, as a named client',
  options: [
    { name: 'client', value: 'name', summary: 'Who is calling; unknown names get the role client' },
    { name: 'names', value: 'form', summary: 'dotted or underscore tool names', choices: NAME_FORMS },
  ],
  examples: ['mcp --client claude-desktop', 'mcp --client cursor --names underscore'],
  async run(context, input) {
    const client = textOf(input, 'client') ?? 'stdio';
    const { config } = context.loadConfig();
    const { pipeStdio } = await import('../../app/pipe-stdio.ts');
    await pipeStdio(
      { home: context.home, config, log: context.log(config) },
      { client, names: readNames(input) },
    );
  },
});

function readNames(input: CommandInput): (typeof NAME_FORMS)[number] | undefined {
  const names = textOf(input, 'names');
  const form = NAME_FORMS.find((known) => known === names);
  if (names === undefined || form) return form;
  throw invalidInput('--names', 'must be dotted or underscore');
}
