/** Makes a command line parser of the declared commands. */
import { Option, Command as Parser } from 'commander';
import { VERSION } from '../kernel/version.ts';
import { COMMON_OPTIONS, type Command, type CommandInput, type CommandOption } from './command.ts';

export type RunCommand = (command: Command, input: CommandInput) => Promise<void>;

/** With `json` the parser's own complaints are left to whoever reports them as JSON. */
export function createProgram(commands: readonly Command[], json: boolean, run: RunCommand): Parser {
  const program = new Parser('sluice')
    .description('One governed tool plane for AI agents')
    .version(VERSION)
    // Options of ours come first; behind a command the same word is that command's.
    .enablePositionalOptions()
    .showHelpAfterError('(add --help for help)')
    .helpCommand(false)
    .exitOverride();
  if (json) program.configureOutput({ writeErr: () => undefined });
  for (const command of commands) {
    addCommand(groupFor(program, command.path.slice(0, -1)), command, run);
  }
  return program;
}

const GROUPS: Readonly<Record<string, string>> = {
  token: "The owner's token",
  client: 'Tokens for clients',
  workspace: 'Workspaces',
  tool: 'The catalogue',
  page: 'Pages',
  audit: 'The audit log',
  policy: 'Roles and access rules',
  config: 'Configuration',
  provider: 'Upstream MCP servers',
  credential: 'Credentials that are sent to providers',
  approval: 'Calls that wait for a yes, and answers that were held back',
  firewall: 'What stands between providers and everybody else',
  rules: 'What it looks for, and what it does about it',
  memory: 'Memory',
  review: 'What waits for your yes',
  permission: 'Who may see what',
  tag: 'Tags',
};

function groupFor(program: Parser, path: readonly string[]): Parser {
  let at = program;
  for (const word of path) {
    const known = at.commands.find((child) => child.name() === word);
    at =
      known ??
      at
        .command(word)
        .description(GROUPS[word] ?? '')
        .helpCommand(false)
        .exitOverride();
  }
  return at;
}

function addCommand(group: Parser, command: Command, run: RunCommand): void {
  const parser = group
    .command(command.path.at(-1) ?? '')
    .description(command.summary)
    .helpCommand(false)
    .exitOverride()
    .addHelpText(
      'after',
      `\nExamples:\n${command.examples.map((example) => `  sluice ${example}`).join('\n')}`,
    );
  for (const { name, optional, many, summary } of command.args ?? []) {
    const form = `${name}${many ? '...' : ''}`;
    parser.argument(optional ? `[${form}]` : `<${form}>`, summary);
  }
  for (const option of [...(command.options ?? []), ...COMMON_OPTIONS]) parser.addOption(toOption(option));
  parser.action(async (...given: unknown[]) => {
    // A command that also has commands below it takes options that were written for those.
    const options = parser.optsWithGlobals<Record<string, string | boolean | string[]>>();
    const values = given.slice(0, parser.registeredArguments.length) as (string | string[] | undefined)[];
    const args = Object.fromEntries(
      parser.registeredArguments.map((argument, i) => [argument.name(), values[i]]),
    );
    await run(command, { args, options: byWrittenName(options, command) });
  });
}

function toOption({ name, value, summary, many }: CommandOption): Option {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, summary);
  if (many) option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]);
  return option;
}

/** Under the name that was declared, not commander's camel case. */
function byWrittenName(
  options: Readonly<Record<string, string | boolean | string[]>>,
  command: Command,
): CommandInput['options'] {
  const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const declared = [...(command.options ?? []), ...COMMON_OPTIONS];
  return Object.fromEntries(declared.map(({ name }) => [name, options[camel(name)]]));
}
