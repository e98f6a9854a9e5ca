/** Characters that a person does not see and a model reads, and sequences that steer a terminal. */

/**
 * Everything Unicode says is drawn as nothing, controls, notes between lines, and what is no character at all. Tab
 * and line ends stay; joiners and the selectors of emoji stay where writing needs them.
 */
const UNSEEN =
  /[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Noncharacter_Code_Point}\u{fff9}-\u{fffb}]--[\t\n\r]]/gv;

/** Scripts in which a joiner changes how a word looks; elsewhere it only hides something. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const WITH_SELECTOR = /[\p{Emoji}]/u;

/** Sequences for terminals, whole: alone, their first character would go and the visible rest stay. */
const point = (code: number): string => `\\u{${code.toString(16)}}`;
const ESC = point(0x1b);
const BEL = point(0x07);
const ESCAPES = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -\\/]*[@-~]`,
    `${ESC}\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?`,
    `${ESC}[PX^_][^${ESC}]*(?:${ESC}\\\\)?`,
    `${ESC}[@-Z\\\\-_]`,
    `${point(0x9b)}[0-?]*[ -\\/]*[@-~]`,
  ].join('|'),
  'gu',
);

/** What no text of plain signs can hold, so that most are not looked at any closer. */
const ORDINARY = /^[\t\n\x20-\x7e]*$/;

export interface Cleaned {
  readonly text: string;
  readonly removed: number;
}

export function removeInvisible(given: string): Cleaned {
  if (ORDINARY.test(given)) return { text: given, removed: 0 };
  let removed = 0;
  const put = (words: string): string => {
    removed += 1;
    return words;
  };
  const formed = given.isWellFormed() ? given : put(given.toWellFormed());
  const text = formed
    .replace(ESCAPES, () => put(''))
    // A line that returns to its beginning writes over what it has shown.
    .replace(/\r(?!\n)/g, () => put('\n'));
  // What was taken out before is no neighbour any more.
  let last = '';
  let end = 0;
  const clean = text.replace(UNSEEN, (sign: string, at: number) => {
    if (at > end) last = before(text, at);
    end = at + sign.length;
    if (!isNeeded(sign, last, after(text, end))) return put('');
    last = sign;
    return sign;
  });
  return { text: clean, removed };
}

function isNeeded(sign: string, previous: string, next: string): boolean {
  switch (sign) {
    case '\u200d':
      return (
        (JOINING.test(previous) && JOINING.test(next)) ||
        ((PICTURE.test(previous) || previous === '\ufe0f') && PICTURE.test(next))
      );
    case '\u200c':
      return JOINING.test(previous) && JOINING.test(next);
    case '\ufe0e':
    case '\ufe0f':
      return WITH_SELECTOR.test(previous) || PICTURE.test(previous);
    default:
      return false;
  }
}

const before = (text: string, at: number): string => {
  const low = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(at - 2, at) : text.slice(at - 1, at);
};

const after = (text: string, at: number): string => {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
};
