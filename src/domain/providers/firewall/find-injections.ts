/** Words that speak to the model in place of answering it. One pass over each text, whatever is in it. */
import { decodedTexts } from './decoded-texts.ts';
import { imitatedWords, plainText, wordsOf } from './plain-words.ts';
import type { FirewallRules, PhraseRule } from './rules.ts';

export interface Found {
  readonly rule: string;
  readonly family: string;
}

export function findInjections(rules: FirewallRules, text: string): readonly Found[] {
  const found = new Map<string, Found>();
  const note = ({ id, family }: { readonly id: string; readonly family: string }): void => {
    found.set(id, { rule: id, family });
  };
  look(rules, text, note);
  for (const hidden of decodedTexts(text)) look(rules, hidden, note);
  return [...found.values()];
}

function look(
  rules: FirewallRules,
  text: string,
  note: (rule: { id: string; family: string }) => void,
): void {
  const plain = plainText(text);
  const words = wordsOf(plain);
  lookForPhrases(rules, words, note);
  const imitated = imitatedWords(plain);
  if (imitated.length !== words.length || imitated.some((word, at) => word !== words[at]))
    lookForPhrases(rules, imitated, note);
  for (const rule of rules.markers) if (rule.texts.some((marker) => plain.includes(marker))) note(rule);
  if (!/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(plain)) return;
  const unspaced = plain.replaceAll(/[\s\p{P}]+/gu, '');
  for (const rule of rules.unspaced) if (rule.texts.some((phrase) => unspaced.includes(phrase))) note(rule);
}

function lookForPhrases(
  { phrases }: FirewallRules,
  words: readonly string[],
  note: (rule: PhraseRule) => void,
): void {
  for (const [at, word] of words.entries())
    for (const rule of phrases.get(word) ?? []) if (follows(rule.steps, words, at + 1)) note(rule);
}

/** Whether the rest of the phrase stands there; each gap is short, so that this looks at a handful of words. */
function follows(steps: PhraseRule['steps'], words: readonly string[], from: number): boolean {
  let at = from;
  let gap = 0;
  for (const step of steps.slice(1)) {
    if (typeof step === 'number') {
      gap = step;
      continue;
    }
    let skipped = 0;
    while (skipped <= gap && !step.has(words[at + skipped] ?? '')) skipped += 1;
    if (skipped > gap) return false;
    at += skipped + 1;
    gap = 0;
  }
  return true;
}
