/** The character codes that the Markdown scanners compare against, by name, and the classes built from them. */

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BANG = 33;
export const QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const PERCENT = 37;
export const APOSTROPHE = 39;
export const LEFT_PAREN = 40;
export const RIGHT_PAREN = 41;
export const STAR = 42;
export const PLUS = 43;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
export const LEFT_BRACKET = 91;
export const BACKSLASH = 92;
export const RIGHT_BRACKET = 93;
export const CARET = 94;
export const UNDERSCORE = 95;
export const BACKTICK = 96;
export const BAR = 124;
export const TILDE = 126;
export const BYTE_ORDER_MARK = 0xfeff;

export function isSpaceOrTab(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** True for the white space that Markdown knows: space, tab and the two line terminators. */
export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === LF || code === CR;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** True for the characters a backslash can escape. */
export function isAsciiPunctuation(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}

/** The first offset at or after `from`, and before `end`, that is neither space nor tab. */
export function skipSpacesAndTabs(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpaceOrTab(text.charCodeAt(at))) at++;
  return at;
}

/** The end of what is left of `text` between `from` and `end` when trailing spaces and tabs are cut. */
export function trimSpacesAndTabs(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isSpaceOrTab(text.charCodeAt(at - 1))) at--;
  return at;
}
