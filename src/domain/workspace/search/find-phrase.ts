/**
 * Finds phrases literally in folded text: case, accents, white space and Markdown signs do not matter, all
 * else does, and a phrase does not begin or end inside a word.
 */
import { cjkCharacter, classOf, unspacedCharacter, wordCharacter } from './character-class.ts';
import { foldText } from './fold.ts';
import { plainText } from './plain-text.ts';

/** Folded, in one line, without space at the ends: what titles and phrases are compared by. */
export function comparable(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim();
}

/** The forms in which a phrase may stand in plain text: as typed, and without the Markdown it was typed with. */
export function phraseForms(phrase: string): string[] {
  const forms = [comparable(phrase), comparable(plainText(phrase).text)];
  return [...new Set(forms)].filter((form) => form !== '');
}

/** The ranges of `folded` where the phrase form stands, in order, not overlapping. */
export function* phraseRanges(folded: string, form: string): Generator<[from: number, to: number]> {
  let from = folded.indexOf(form);
  while (from >= 0) {
    const to = from + form.length;
    const stands = isWordEdge(folded, from) && isWordEdge(folded, to);
    if (stands) yield [from, to];
    from = folded.indexOf(form, stands ? to : from + 1);
  }
}

export function containsPhrase(folded: string, phrase: string): boolean {
  return phraseForms(phrase).some((form) => !phraseRanges(folded, form).next().done);
}

/** Whether a word may end or begin here; in scripts without spaces it may between any two characters. */
function isWordEdge(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const before = classOf(codePointBefore(text, at));
  const after = classOf(text.codePointAt(at) ?? 0);
  if ((before & after & wordCharacter) === 0) return true;
  return ((before | after) & (cjkCharacter | unspacedCharacter)) !== 0;
}

function codePointBefore(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  const isPair = last >= 0xdc00 && last <= 0xdfff && at > 1;
  return (isPair ? text.codePointAt(at - 2) : undefined) ?? last;
}
