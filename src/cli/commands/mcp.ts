/** MCP over standard input and output, for clients that start their servers themselves. */
import { pipeStdio } from '../../app/pipe-stdio.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { type CommandInput, defineCommand, textOf } from '../command.ts';

export const mcp = defineCommand({
  path: ['mcp'],
  summary: 'Speak MCP over standard input and output, as a named client',
  options: [
    { name: 'client', value: 'name', summary: 'Who is calling; unknown names get the role client' },
    { name: 'names', value: 'form', summary: 'dotted or underscore tool names' },
  ],
  examples: ['mcp --client claude-desktop', 'mcp --client cursor --names underscore'],
  async run(context, input) {
    const client = textOf(input, 'client') ?? 'stdio';
    const { config } = context.loadConfig();
    await pipeStdio(
      { home: context.home, config, log: context.log(config) },
      { client, names: readNames(input) },
    );
  },
});

function readNames(input: CommandInput): 'dotted' | 'underscore' | undefined {
  const names = textOf(input, 'names');
  if (names === undefined || names === 'dotted' || names === 'underscore') return names;
  throw invalidInput('--names', 'must be dotted or underscore');
}
