/** Text as a model understands it whatever it is written in: without hidden characters, look-alikes and digits for letters. */
import { looksLatin } from '../look-alike.ts';
import { removeInvisible } from './invisible.ts';

const LEET: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Lower case, one form for each letter; line ends are spaces. */
export function plainText(text: string): string {
  return removeInvisible(text.normalize('NFKC'))
    .text.replaceAll(/[\u200c\u200d]/g, '')
    .toLowerCase();
}

export const wordsOf = (plain: string): readonly string[] => plain.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

/** The same words for a second look, in which a word of mixed signs is read as the Latin word it imitates. */
export function imitatedWords(plain: string): readonly string[] {
  const signs = plain.match(/[\p{L}\p{M}\p{N}_@$!]+/gu) ?? [];
  return signs.map((word) =>
    isMixed(word) ? Array.from(looksLatin(word), (sign) => LEET[sign] ?? sign).join('') : word,
  );
}

/** Latin letters with digits, signs or letters of another alphabet among them. */
function isMixed(word: string): boolean {
  return /[a-z]/.test(word) && /[^a-z_]/.test(word) && !/^[a-z_]+\d*$/.test(word);
}
