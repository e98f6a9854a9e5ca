/** The command line: finds the command, runs it, and turns what goes wrong into words and an exit code. */
import { CommanderError } from 'commander';
import { asSluiceError, errorRow, SluiceError } from '../kernel/errors.ts';
import { asTyped } from './as-typed.ts';
import type { Command } from './command.ts';
import { commands } from './command-list.ts';
import { createContext } from './context.ts';
import { createOutput, type Output } from './output.ts';
import { createProgram } from './program.ts';

export async function main(argv: readonly string[]): Promise<void> {
  // Whatever a command writes, homes, backups and exports, is its owner's alone.
  process.umask(0o077);
  const json = beforeDashes(argv).includes('--json');
  const output = createOutput(json);
  let running: Command | undefined;
  const program = createProgram(commands, json, async (command, input) => {
    running = command;
    const home = input.options.home;
    await command.run(createContext(typeof home === 'string' ? home : undefined, json, output), input);
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = reportUsage(output, json, error);
    else process.exitCode = report(output, json, asSluiceError(error), argv.join(' '), running);
  }
}

const beforeDashes = (argv: readonly string[]): readonly string[] =>
  argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

/** The parser has already said it in words; for programs it is an error like every other. */
function reportUsage(output: Output, json: boolean, error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  const wrong = error.code === 'commander.help' ? 'A command is missing' : error.message;
  const typed = new SluiceError('invalid_input', wrong.replace(/^error: /, ''));
  return json ? report(output, json, typed) : errorRow(typed.code).exit;
}

/** What failed, why, and where there is one, the next command to try. For programs all of it is one document. */
function report(output: Output, json: boolean, error: SluiceError, given = '', command?: Command): number {
  const fault = error.code === 'internal' && error.cause instanceof Error ? error.cause.stack : undefined;
  if (json) {
    output.talk(
      JSON.stringify({ error: { ...error.toWire(), ...(fault !== undefined && { stack: fault }) } }),
    );
  } else {
    output.talk(`sluice: ${command ? asTyped(command, error) : error.message}`);
    const next = NEXT_COMMAND[error.code];
    // Not what was just tried, and after the doctor nothing: it has named the fix already.
    if (next !== undefined && ![next, 'doctor'].some((tried) => given.startsWith(tried)))
      output.talk(`        try: sluice ${next}`);
    if (fault !== undefined) output.talk(fault);
  }
  return errorRow(error.code).exit;
}

const NEXT_COMMAND: Partial<Record<SluiceError['code'], string>> = {
  no_workspace: 'workspace list',
  disabled: 'enable',
  home_locked: 'status',
  unavailable: 'doctor',
  unknown_tool: 'tool list',
};
