/** The command line: finds the command, runs it, and turns what goes wrong into words and an exit code. */
import { CommanderError } from 'commander';
import { asSluiceError, errorRow, type SluiceError } from '../kernel/errors.ts';
import { commands } from './command-list.ts';
import { createContext } from './context.ts';
import { createOutput, type Output } from './output.ts';
import { createProgram } from './program.ts';

/** Commander's own failures are wrong usage. */
const WRONG_USAGE = 2;

export async function main(argv: readonly string[]): Promise<void> {
  // Whatever a command writes, homes, backups and exports, is its owner's alone.
  process.umask(0o077);
  const json = argv.includes('--json');
  const output = createOutput(json);
  const program = createProgram(commands, async (command, input) => {
    const home = input.options.home;
    await command.run(createContext(typeof home === 'string' ? home : undefined, json, output), input);
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    process.exitCode =
      error instanceof CommanderError ? usageCode(error) : report(output, json, asSluiceError(error));
  }
}

const usageCode = (error: CommanderError): number => (error.exitCode === 0 ? 0 : WRONG_USAGE);

/** What failed, why, and where there is one, the next command to try. */
function report(output: Output, json: boolean, error: SluiceError): number {
  if (json) {
    output.talk(JSON.stringify({ error: error.toWire() }));
  } else {
    output.talk(`sluice: ${error.message}`);
    const next = NEXT_COMMAND[error.code];
    if (next !== undefined) output.talk(`        try: ${next}`);
  }
  if (error.code === 'internal' && error.cause instanceof Error)
    output.talk(error.cause.stack ?? String(error.cause));
  return errorRow(error.code).exit;
}

const NEXT_COMMAND: Partial<Record<SluiceError['code'], string>> = {
  no_workspace: 'sluice workspace list',
  disabled: 'sluice enable',
  home_locked: 'sluice status',
  unavailable: 'sluice doctor',
  integrity_failed: 'sluice audit verify',
  unknown_tool: 'sluice tool list',
};
