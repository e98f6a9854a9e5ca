/**
 * Recognises raw HTML and autolinks at a `<`, as CommonMark defines them, and the seven ways in which an HTML block
 * may begin. It reads syntax only and knows nothing of the meaning of a tag.
 */

import {
  APOSTROPHE,
  BANG,
  COLON,
  DASH,
  DOT,
  EQUALS,
  GREATER,
  isDigit,
  isLetter,
  isSpace,
  LESS,
  QUESTION,
  QUOTE,
  SLASH,
  skipSpacesAndTabs,
  UNDERSCORE,
} from './char-codes.ts';

const uriAutolink = /<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\p{Cc} <>]*>/uy;
const emailAutolink =
  /<[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*>/iy;

/** The end of the autolink that begins at `at`, or -1. */
export function autolinkEnd(text: string, at: number): number {
  for (const pattern of [uriAutolink, emailAutolink]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return -1;
}

/** The end of the open or closing tag that begins at `at`, or -1 when there is none before `end`. */
export function tagEnd(text: string, at: number, end: number): number {
  const closing = text.charCodeAt(at + 1) === SLASH;
  let i = at + (closing ? 2 : 1);
  if (!isLetter(text.charCodeAt(i))) return -1;
  while (i < end && isTagNameCode(text.charCodeAt(i))) i++;
  for (;;) {
    const before = i;
    i = skipSpace(text, i, end);
    if (i >= end) return -1;
    const code = text.charCodeAt(i);
    if (code === GREATER) return i + 1;
    if (closing) return -1;
    if (code === SLASH) return text.charCodeAt(i + 1) === GREATER && i + 1 < end ? i + 2 : -1;
    if (i === before || !isAttributeStart(code)) return -1;
    i = attributeEnd(text, i, end);
    if (i < 0) return -1;
  }
}

function attributeEnd(text: string, at: number, end: number): number {
  let i = at + 1;
  while (i < end && isAttributeCode(text.charCodeAt(i))) i++;
  const equals = skipSpace(text, i, end);
  if (equals >= end || text.charCodeAt(equals) !== EQUALS) return i;
  i = skipSpace(text, equals + 1, end);
  if (i >= end) return -1;
  const code = text.charCodeAt(i);
  if (code === QUOTE || code === APOSTROPHE) {
    i++;
    while (i < end && text.charCodeAt(i) !== code) i++;
    return i < end ? i + 1 : -1;
  }
  const start = i;
  while (i < end && isUnquotedCode(text.charCodeAt(i))) i++;
  return i > start ? i : -1;
}

function skipSpace(text: string, from: number, end: number): number {
  let i = from;
  while (i < end && isSpace(text.charCodeAt(i))) i++;
  return i;
}

function isTagNameCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === DASH;
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === UNDERSCORE || code === COLON;
}

function isAttributeCode(code: number): boolean {
  return isAttributeStart(code) || isDigit(code) || code === DOT || code === DASH;
}

function isUnquotedCode(code: number): boolean {
  return (
    !isSpace(code) &&
    code !== QUOTE &&
    code !== APOSTROPHE &&
    code !== EQUALS &&
    code !== LESS &&
    code !== GREATER &&
    code !== 96
  );
}

/**
 * What ends an HTML block: a pattern somewhere on one of its lines, or a blank line. `isText` says whether prose may
 * stand in it; scripts, styles, preformatted text, instructions, declarations and CDATA hold none.
 */
export interface HtmlBlock {
  readonly endsAt: RegExp | 'blank';
  readonly isText: boolean;
}

const verbatim: HtmlBlock = { endsAt: /<\/(?:script|pre|style|textarea)>/i, isText: false };
const comment: HtmlBlock = { endsAt: /-->/, isText: true };
const instruction: HtmlBlock = { endsAt: /\?>/, isText: false };
const declaration: HtmlBlock = { endsAt: />/, isText: false };
const cdata: HtmlBlock = { endsAt: /\]\]>/, isText: false };
const element: HtmlBlock = { endsAt: 'blank', isText: true };

const verbatimStart = /<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/iy;
const elementStart =
  /<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[ \t\r\n]|\/?>|$)/iy;

/** The HTML block that begins at the `<` at `at`, if any. A lone tag of no block name cannot interrupt a paragraph. */
export function htmlBlockAt(
  text: string,
  at: number,
  end: number,
  interrupts: boolean,
): HtmlBlock | undefined {
  const next = text.charCodeAt(at + 1);
  if (next === BANG) {
    if (text.startsWith('<!--', at)) return comment;
    if (text.startsWith('<![CDATA[', at)) return cdata;
    return isLetter(text.charCodeAt(at + 2)) ? declaration : undefined;
  }
  if (next === QUESTION) return instruction;
  if (next !== SLASH && !isLetter(next)) return undefined;
  verbatimStart.lastIndex = at;
  if (verbatimStart.test(text)) return verbatim;
  elementStart.lastIndex = at;
  if (elementStart.test(text)) return element;
  if (interrupts) return undefined;
  const stop = tagEnd(text, at, end);
  return stop > 0 && skipSpacesAndTabs(text, stop, end) === end ? element : undefined;
}
