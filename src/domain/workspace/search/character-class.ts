/**
 * What a character means for search, as bit flags. The Unicode properties are asked once per code point and
 * then read from a table, because a regular expression per character is what makes analysis slow.
 */

/** Part of a word: letter, digit, mark, or an invisible character that folding drops. */
export const wordCharacter = 1;
/** Belongs to the character before it: a combining mark or an invisible character. */
export const trailingCharacter = 2;
/** Written without spaces, and one or two characters are a word: Han, Kana, Hangul, Bopomofo. */
export const cjkCharacter = 4;
/** Written without spaces, and words are several characters and marks: Thai, Lao, Khmer, Myanmar. */
export const unspacedCharacter = 8;
/** A pictograph that is a token of its own. */
export const emojiCharacter = 16;
/** Joins the parts of an identifier such as `snake_case` or `kebab-case`. */
export const connectorCharacter = 32;

const classified = 128;
const table = new Uint8Array(0x110000);

const inWord = /[\p{L}\p{N}\p{M}\p{DI}]/u;
const readsAsWord = /[\p{L}\p{N}]/u;
const trailing = /[\p{M}\p{DI}\uFF9E\uFF9F]/u;
const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\u30FC\uFF70]/u;
const unspaced = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const emoji = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
/** The hyphens, the non-breaking hyphen and the underscore; dashes end a word. */
const connector = /[-_\u2010\u2011]/u;
/** Signs that follow a name without belonging to it: NFKC would glue `tm` to the name. */
export const attachedSign = /^[\u2122\u2120\u00A9\u00AE]/u;

export function classOf(codePoint: number): number {
  const known = table[codePoint] ?? 0;
  if (known !== 0) return known;
  const found = classify(String.fromCodePoint(codePoint));
  table[codePoint] = found;
  return found;
}

function classify(character: string): number {
  if (connector.test(character)) return classified | connectorCharacter;
  if (attachedSign.test(character)) return classified;
  let flags = classified;
  if (trailing.test(character)) flags |= trailingCharacter;
  // The compatibility form decides too: `㎏` and `㈱` are symbols that read as letters.
  const isWord = inWord.test(character) || readsAsWord.test(character.normalize('NFKC'));
  if (!isWord) return emoji.test(character) ? flags | emojiCharacter : flags;
  flags |= wordCharacter;
  if (cjk.test(character)) flags |= cjkCharacter;
  if (unspaced.test(character)) flags |= unspacedCharacter;
  return flags;
}
