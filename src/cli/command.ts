/** A command as data: what it is called, what it takes, what it does. Help and reference are made from it. */
import { invalidInput } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';

/** What may stand there, for the completion of shells: a path, or one of these. */
export type Choices = 'path' | readonly string[];

export interface CommandArgument {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** Takes all that follow. */
  readonly many?: boolean;
  readonly choices?: Choices;
}

export interface CommandOption {
  /** Without dashes. */
  readonly name: string;
  /** What its value is called; left out = a flag. */
  readonly value?: string;
  readonly summary: string;
  /** May be given several times. */
  readonly many?: boolean;
  readonly choices?: Choices;
}

export interface CommandInput {
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface Command {
  /** The words that call it, such as `client add`. */
  readonly path: readonly [string, ...string[]];
  readonly summary: string;
  readonly args?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** Whole lines, without the leading `sluice`. */
  readonly examples: readonly [string, ...string[]];
  readonly run: (context: CliContext, input: CommandInput) => Promise<void>;
}

export const defineCommand = (command: Command): Command => command;

/** Options every command has. */
export const COMMON_OPTIONS: readonly CommandOption[] = [
  {
    name: 'home',
    value: 'dir',
    summary: 'The home; else SLUICE_HOME, else the user data folder',
    choices: 'path',
  },
  { name: 'json', summary: 'Answer in JSON' },
];

export function textOf(input: CommandInput, name: string): string | undefined {
  const value = input.options[name] ?? input.args[name];
  return typeof value === 'string' ? value : undefined;
}

/** A whole number that is not negative; anything else is refused here, where the option still has its name. */
export function numberOf(input: CommandInput, name: string): number | undefined {
  const text = textOf(input, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw invalidInput(`--${name}`, `must be a whole number, not "${text}"`);
  return Number(text);
}

/** Why somebody decides something; kept with the decision, so that it must be given. */
export function reasonIn(input: CommandInput): string {
  const reason = textOf(input, 'reason')?.trim();
  if (reason) return reason;
  throw invalidInput('--reason', 'must be given: why, in a few words; it is kept with the decision');
}

export const flagOf = (input: CommandInput, name: string): boolean => input.options[name] === true;

/** `a,b` and repeated options alike. */
export function listOf(input: CommandInput, name: string): readonly string[] | undefined {
  const value = input.options[name];
  if (value === undefined || typeof value === 'boolean') return undefined;
  return [value]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Leaves out what was not given. */
export function given(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
