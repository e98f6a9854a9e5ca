/**
 * What is said of arguments that a built-in tool does not have: they are dropped and never a reason to fail, but the
 * caller hears of it. Names alone, few and plain ones; values are nobody's business.
 */
import type { JsonSchema } from '../catalogue/schema.ts';
import type { Tool } from '../catalogue/tool-definition.ts';
import { SHORTEST_CORRECTED, wordsNear } from '../kernel/misspelled.ts';
import type { ArgumentNote } from './request.ts';

type Given = Readonly<Record<string, unknown>>;

export interface Spelt {
  readonly given: Given;
  /** Which keys were read as which argument. */
  readonly taken: ReadonlyMap<string, string>;
}

/**
 * A switch such as `dry_run` that is written `dryRun` or `dry-run` is that switch, where it is not given itself:
 * dropped, it would let happen what the caller asked to be spared.
 */
export function asSpelt(schema: JsonSchema, given: Given): Spelt {
  const declared = propertiesOf(schema);
  const unknown = Object.keys(given).filter((key) => !Object.hasOwn(declared, key));
  if (unknown.length === 0) return { given, taken: NONE };
  const taken = new Map<string, string>();
  const read: Record<string, unknown> = { ...given };
  for (const [name, { type }] of Object.entries(declared)) {
    if (type !== 'boolean' || Object.hasOwn(given, name)) continue;
    const key = unknown.find((other) => isPlain(other) && folded(other) === folded(name));
    if (key === undefined) continue;
    taken.set(key, name);
    read[name] = given[key];
    delete read[key];
  }
  return { given: taken.size === 0 ? given : read, taken };
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Undefined where everything that was given is known. */
export function argumentNote(tool: Tool, { given, taken }: Spelt, input: Given): ArgumentNote | undefined {
  const dropped: string[] = [];
  collectDropped(given, input, '', dropped);
  if (dropped.length === 0 && taken.size === 0) return undefined;
  const free = Object.keys(propertiesOf(tool.input.json)).filter((name) => !Object.hasOwn(given, name));
  const named = dropped.filter(isPlain).slice(0, MAX_NAMED);
  const ignored = named.map((argument) => withMeant(argument, nearest(argument, free)));
  const read = [...taken].map(([argument, as]) => ({ argument, as }));
  const others = dropped.length - named.length;
  return {
    note: sentences(tool, ignored, read, others),
    ...(ignored.length > 0 && { ignored }),
    ...(others > 0 && { others }),
    ...(read.length > 0 && { read }),
  };
}

const MAX_NAMED = 8;
/** Nobody counts on. */
const MAX_DROPPED = 100;

/** What came in and is not there any more, at every level. */
function collectDropped(given: unknown, input: unknown, path: string, dropped: string[]): void {
  if (!isStructure(given) || !isStructure(input) || dropped.length >= MAX_DROPPED) return;
  for (const key of Object.keys(given)) {
    if (given[key] === undefined || dropped.length >= MAX_DROPPED) continue;
    const name = path + key;
    if (!Object.hasOwn(input, key)) dropped.push(name);
    else if (isStructure(given[key])) collectDropped(given[key], input[key], `${name}.`, dropped);
  }
}

const isStructure = (value: unknown): value is Given => typeof value === 'object' && value !== null;

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, { readonly type?: unknown }>> =>
  (schema.properties ?? {}) as Record<string, { readonly type?: unknown }>;

/** Nothing that could be taken for words of ours. */
const isPlain = (name: string): boolean => /^[A-Za-z_][\w.-]{0,39}$/.test(name);

const folded = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();

const withMeant = (argument: string, meant: string | undefined) => ({ argument, ...(meant && { meant }) });

/** Only of what stands at the top, and only what is not given as well. */
function nearest(argument: string, free: readonly string[]): string | undefined {
  const wanted = folded(argument);
  const same = (name: string): boolean => folded(name) === wanted;
  const longer = (name: string): boolean => isBeginning(folded(name), wanted);
  const [near] = wanted.length < SHORTEST_CORRECTED ? [] : wordsNear(wanted, free.map(folded));
  const slip = (name: string): boolean => folded(name) === near?.word;
  return argument.includes('.') ? undefined : (free.find(same) ?? free.find(longer) ?? free.find(slip));
}

const isBeginning = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) >= 3 && (one.startsWith(other) || other.startsWith(one));

function sentences(
  { name, input, mode }: Tool,
  ignored: NonNullable<ArgumentNote['ignored']>,
  read: NonNullable<ArgumentNote['read']>,
  others: number,
): string {
  const names = ignored.map(
    ({ argument, meant }) => `"${argument}"${meant ? ` (did you mean "${meant}"?)` : ''}`,
  );
  if (others > 0) names.push(`${others} ${names.length > 0 ? 'more' : 'that cannot be shown'}`);
  const said = read.map(({ argument, as }) => `"${argument}" was read as "${as}".`);
  if (names.length > 0) said.unshift(`Ignored, as ${name} has no such argument: ${names.join(', ')}.`);
  const real = mode !== 'read' && !Object.hasOwn(propertiesOf(input.json), 'dry_run');
  if (real && ignored.some(({ argument }) => folded(argument) === 'dryrun'))
    said.push('It has no dry run: this was the real thing.');
  return `Note: ${said.join(' ')}`;
}
