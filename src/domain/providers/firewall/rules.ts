/** The firewall's rules, made ready for use: a text is read once for all of them. */
import { invalidInput } from '../../../kernel/errors.ts';
import type { TrustTier } from '../profile.ts';
import { plainText } from './plain-words.ts';
import builtIn from './rules.json' with { type: 'json' };
import { type Action, type Family, type RulesDocument, rulesDocument } from './rules-document.ts';
import { type Sensitivity, type TokenShapes, tokenShapes } from './token-shapes.ts';

export interface PhraseRule {
  readonly id: string;
  readonly family: Family;
  /** At each place one of several words, or a gap of at most so many words. */
  readonly steps: readonly (ReadonlySet<string> | number)[];
}

export interface TextRule {
  readonly id: string;
  readonly family: Family;
  readonly texts: readonly string[];
}

/** Like a phrase, in texts without spaces: at each place one of several texts, or a gap of so many signs. */
export interface UnspacedRule {
  readonly id: string;
  readonly family: Family;
  readonly steps: readonly (readonly string[] | number)[];
}

export interface FirewallRules {
  readonly version: string;
  /** As they were written. */
  readonly document: RulesDocument;
  /** By the words a phrase may begin with. */
  readonly phrases: ReadonlyMap<string, readonly PhraseRule[]>;
  readonly unspaced: readonly UnspacedRule[];
  readonly markers: readonly TextRule[];
  readonly redirectors: readonly string[];
  readonly tokens: TokenShapes;
}

const MAX_GAP = 12;

/** Refuses what is no set of rules, or could not work, with its place named. */
export function readRules(given: unknown): FirewallRules {
  const read = rulesDocument.safeParse(given);
  if (read.success) return prepare(read.data);
  const [problem] = read.error.issues;
  const place = ['rules', ...(problem?.path ?? [])].map(String).join('.');
  throw invalidInput(place, `is not as rules are written: ${problem?.message ?? 'not an object'}`);
}

function prepare(document: RulesDocument): FirewallRules {
  checkIds(document);
  const byFirst = new Map<string, PhraseRule[]>();
  for (const [at, { id, family, words }] of document.phrases.entries()) {
    const steps = words.map((step, place) => readStep(`phrases.${at}.words.${place}`, step));
    const first = steps[0];
    if (!(first instanceof Set) || !(steps.at(-1) instanceof Set))
      throw invalidInput(`rules.phrases.${at}.words`, `must begin and end with words ("${id}")`);
    for (const word of first) byFirst.set(word, [...(byFirst.get(word) ?? []), { id, family, steps }]);
  }
  const { version, unspaced, markers, redirectors, tokens } = document;
  checkTexts('markers', markers, plainText);
  for (const [at, { least, most, id }] of tokens.entries())
    if (most < least) throw invalidInput(`rules.tokens.${at}.most`, `must not be below "least" ("${id}")`);
  return {
    version,
    document,
    phrases: byFirst,
    unspaced: unspaced.flatMap(unspacedRules),
    markers,
    redirectors,
    tokens: tokenShapes(tokens),
  };
}

/** A text with spaces in it is several, one after the other. */
function unspacedRules({ id, family, texts }: TextRule, at: number): readonly UnspacedRule[] {
  return texts.map((text) => {
    const place = `unspaced.${at}.texts`;
    const steps = text.split(' ').map((step) => readUnspaced(place, step));
    if (typeof steps[0] === 'number' || typeof steps.at(-1) === 'number')
      throw invalidInput(`rules.${place}`, `must begin and end with words ("${id}")`);
    return { id, family, steps };
  });
}

function readUnspaced(path: string, step: string): readonly string[] | number {
  if (step.startsWith('~')) return readGap(path, step);
  const plain = (text: string): string => plainText(text).replaceAll(/[\s\p{P}]+/gu, '');
  const words = step.split('|');
  for (const word of words)
    if (word === '' || plain(word) !== word)
      throw invalidInput(
        `rules.${path}`,
        `must be written as it is looked for, "${plain(word)}" in place of "${word}"`,
      );
  return words;
}

function readGap(path: string, step: string): number {
  const gap = Number(step.slice(1));
  if (Number.isInteger(gap) && gap >= 1 && gap <= MAX_GAP) return gap;
  throw invalidInput(`rules.${path}`, `must be a gap from ~1 to ~${MAX_GAP}, not "${step}"`);
}

function readStep(path: string, step: string): ReadonlySet<string> | number {
  if (step.startsWith('~')) return readGap(path, step);
  const words = step.split('|');
  for (const word of words)
    if (!/^[\p{L}\p{M}\p{N}_]+$/u.test(word) || word !== plainText(word))
      throw invalidInput(`rules.${path}`, `must hold single words in lower case, not "${word}"`);
  return new Set(words);
}

function checkIds({ phrases, unspaced, markers, tokens }: RulesDocument): void {
  const seen = new Set<string>();
  for (const { id } of [...phrases, ...unspaced, ...markers, ...tokens]) {
    if (seen.has(id)) throw invalidInput('rules', `must not have two rules "${id}"`);
    seen.add(id);
  }
}

function checkTexts(where: string, rules: readonly TextRule[], plain: (text: string) => string): void {
  for (const [at, { texts }] of rules.entries())
    for (const text of texts)
      if (plain(text) !== text)
        throw invalidInput(
          `rules.${where}.${at}.texts`,
          `must be written as it is looked for, "${plain(text)}" in place of "${text}"`,
        );
}

/** Whoever is blocked is not let through with anything. */
export const actionFor = ({ document }: FirewallRules, family: Family, trust: TrustTier): Action =>
  trust === 'BLOCKED' ? 'block' : document.actions[family][trust];

export const argumentAction = (
  { document }: FirewallRules,
  sensitivity: Sensitivity,
  trust: TrustTier,
): 'annotate' | 'block' => (trust === 'BLOCKED' ? 'block' : document.arguments[sensitivity][trust]);

export const DEFAULT_RULES = readRules(builtIn);
