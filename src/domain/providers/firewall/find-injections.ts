/** Words that speak to the model in place of answering it. One pass over each text, whatever is in it. */
import { decodedTexts } from './decoded-texts.ts';
import { gatheredWords, imitatedWords, plainText, withoutMarkup, wordsOf } from './plain-words.ts';
import type { FirewallRules, PhraseRule, UnspacedRule } from './rules.ts';
import type { Family } from './rules-document.ts';

export interface Found {
  readonly rule: string;
  readonly family: Family;
}

type Note = (rule: { readonly id: string; readonly family: Family }) => void;

export function findInjections(rules: FirewallRules, text: string): readonly Found[] {
  const found = new Map<string, Found>();
  const note: Note = ({ id, family }) => {
    found.set(id, { rule: id, family });
  };
  look(rules, text, note);
  for (const hidden of decodedTexts(text)) look(rules, hidden, note);
  return [...found.values()];
}

function look(rules: FirewallRules, text: string, note: Note): void {
  const plain = plainText(text);
  const words = wordsOf(plain);
  lookForPhrases(rules, words, note);
  const imitated = imitatedWords(plain);
  if (differ(imitated, words)) lookForPhrases(rules, imitated, note);
  const unmarked = withoutMarkup(plain);
  if (unmarked !== undefined) lookForPhrases(rules, wordsOf(unmarked), note);
  for (const rule of rules.markers) if (rule.texts.some((marker) => plain.includes(marker))) note(rule);
  const gathered = gatheredWords(plain);
  if (gathered !== undefined) lookUnspaced(rules, gathered, note);
  if (UNSPACED_SCRIPTS.test(plain)) lookUnspaced(rules, plain, note);
}

const differ = (some: readonly string[], others: readonly string[]): boolean =>
  some.length !== others.length || some.some((word, at) => word !== others[at]);

/** Scripts that set no space between words, or not always. */
const UNSPACED_SCRIPTS = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

function lookUnspaced(rules: FirewallRules, plain: string, note: Note): void {
  const unspaced = plain.replaceAll(/[\s\p{P}]+/gu, '');
  for (const rule of rules.unspaced) if (standsIn(unspaced, rule.steps)) note(rule);
}

/** Each beginning is tried once, and no further than the gaps reach. */
function standsIn(text: string, [first, ...rest]: UnspacedRule['steps']): boolean {
  for (const begin of first as readonly string[])
    for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + begin.length))
      if (goesOn(text, rest, at + begin.length)) return true;
  return false;
}

const goesOn = (text: string, steps: UnspacedRule['steps'], from: number): boolean =>
  leads(steps, from, (step, place, ends) => {
    for (const word of step) if (text.startsWith(word, place)) ends.add(place + word.length);
  });

function lookForPhrases({ phrases }: FirewallRules, words: readonly string[], note: Note): void {
  for (const [at, word] of words.entries())
    for (const rule of phrases.get(word) ?? []) if (follows(rule.steps, words, at + 1)) note(rule);
}

const follows = (steps: PhraseRule['steps'], words: readonly string[], from: number): boolean =>
  leads(steps.slice(1), from, (step, place, ends) => {
    if (step.has(words[place] ?? '')) ends.add(place + 1);
  });

/**
 * Whether the steps lead on from there, in whichever way; a number is how far apart two may be. Gaps are short, so that
 * this looks at a handful of places.
 */
function leads<Step>(
  steps: readonly (number | Step)[],
  from: number,
  look: (step: Step, place: number, ends: Set<number>) => void,
): boolean {
  let reached = new Set([from]);
  let gap = 0;
  for (const step of steps) {
    if (typeof step === 'number') {
      gap = step;
      continue;
    }
    const next = new Set<number>();
    for (const at of reached) for (let place = at; place <= at + gap; place += 1) look(step, place, next);
    if (next.size === 0) return false;
    reached = next;
    gap = 0;
  }
  return true;
}
