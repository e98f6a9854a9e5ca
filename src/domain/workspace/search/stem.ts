/**
 * Takes the endings off words, by language: Porter's rules for English, lighter ones for the others, which only take
 * off what marks number, gender and case. Words are folded: without capitals and accents.
 */
import { stemmer } from 'stemmer';
import { LANGUAGES, type Language } from './language.ts';
import { stopWords } from './stop-words.ts';

const stemmable = /^[a-z]{3,}$/;

const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  en: stemmer,
  de: stemGerman,
  fr: stemFrench,
  es: stemSpanish,
  other: (word) => word,
};

/** The token that stands for a word in a page of that language. */
export function stemOf(word: string, language: Language): string {
  return stemmable.test(word) ? STEMMERS[language](word) : word;
}

/**
 * What stands for a word in a page of any language, or of the given one: the English form first, which pages also have
 * that do not tell. A form that is a small word is none.
 */
export function stemsOf(word: string, asked: Language | undefined): readonly string[] {
  const own = stemOf(word, 'en');
  const languages = asked === undefined ? LANGUAGES : [asked];
  const others = languages.map((language) => stemOf(word, language)).filter((stem) => !stopWords.has(stem));
  return [...new Set([own, ...others])];
}

const cut = (word: string, letters: number): string => word.slice(0, word.length - letters);
/** Behind these an `s` or `st` is an ending. */
const BEFORE_S = 'bdfghklmnt';

function stemGerman(word: string): string {
  const bare = withoutGermanCase(word);
  const { length } = bare;
  if (length > 5 && bare.endsWith('est')) return cut(bare, 3);
  if (length > 4 && /e[rn]$/.test(bare)) return cut(bare, 2);
  const takesSt = length > 4 && bare.endsWith('st') && BEFORE_S.includes(bare.charAt(length - 3));
  return takesSt ? cut(bare, 2) : bare;
}

function withoutGermanCase(word: string): string {
  const { length } = word;
  if (length > 5 && word.endsWith('ern')) return cut(word, 3);
  if (length > 4 && /e[mnrs]$/.test(word)) return cut(word, 2);
  if (length > 3 && word.endsWith('e')) return cut(word, 1);
  const takesS = length > 3 && word.endsWith('s') && BEFORE_S.includes(word.charAt(length - 2));
  return takesS ? cut(word, 1) : word;
}

function stemFrench(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('eaux')) return cut(word, 1);
  if (word.endsWith('aux')) return `${cut(word, 2)}l`;
  if (word.endsWith('ux')) return cut(word, 1);
  let stem = word.replace(/s$/, '');
  stem = stem.replace(/r$/, '').replace(/e{1,2}$/, '');
  const { length } = stem;
  return length > 3 && stem.charAt(length - 1) === stem.charAt(length - 2) ? cut(stem, 1) : stem;
}

function stemSpanish(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('eses')) return cut(word, 2);
  if (word.endsWith('ces')) return `${cut(word, 3)}z`;
  if (/[aeo]s$/.test(word)) return cut(word, 2);
  return /[aeo]$/.test(word) ? cut(word, 1) : word;
}
