/** The reference page of the command line, from the declared commands. */
import { COMMON_OPTIONS, type Command, type CommandOption } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/command-list.ts';
import { ERROR_TABLE } from '../../src/kernel/errors.ts';

export async function renderCliPage(): Promise<string> {
  return [
    '# Command line',
    '',
    'Standard output is data, standard error is talk. Every command also takes:',
    '',
    ...COMMON_OPTIONS.map(optionLine),
    '',
    ...commands.flatMap(renderCommand),
    '## Exit codes',
    '',
    '| code | when |',
    '|---|---|',
    '| 0 | done |',
    ...exitRows(),
    '',
  ].join('\n');
}

function renderCommand(command: Command): string[] {
  const args = (command.args ?? []).map(({ name, optional, many }) => {
    const form = `${name}${many ? '…' : ''}`;
    return optional ? `[${form}]` : `<${form}>`;
  });
  const list = [
    ...(command.args ?? []).map(({ name, summary }) => `- \`${name}\`: ${summary}`),
    ...(command.options ?? []).map(optionLine),
  ];
  return [
    `## \`${['sluice', ...command.path, ...args].join(' ')}\``,
    '',
    `${command.summary}.`,
    '',
    ...(list.length > 0 ? [...list, ''] : []),
    '```sh',
    ...command.examples.map((example) => `sluice ${example}`),
    '```',
    '',
  ];
}

const optionLine = ({ name, value, summary }: CommandOption): string =>
  `- \`--${name}${value === undefined ? '' : ` <${value}>`}\`: ${summary}`;

function exitRows(): string[] {
  const byCode = Map.groupBy(Object.entries(ERROR_TABLE), ([, row]) => row.exit);
  return [...byCode]
    .sort(([a], [b]) => a - b)
    .map(([code, rows]) => `| ${code} | ${rows.map(([name]) => `\`${name}\``).join(', ')} |`);
}
