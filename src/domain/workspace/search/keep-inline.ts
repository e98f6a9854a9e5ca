/**
 * Keeps of one line of Markdown what is shown: the words of links and emphasis without their signs.
 */
import { classOf, wordCharacter } from './character-class.ts';
import type { TextKeeper } from './text-keeper.ts';

/** All patterns are bounded: a line can be as long as the page and full of openings that never close. */
const wikiLink = /!?\[\[([^[\]\n|]{0,500}?)(?:\\?\|([^[\]\n]{0,500}))?\]\]/y;
const link = /!?\[([^[\]\n]{0,500})\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,1000}\)|\[[^[\]\n]{0,200}\])/y;
const codeTicks = /`+/y;
const emphasis = /\*{1,3}|_{1,3}|~~|==/y;
const escaped = /\\(?=[!-/:-@[-`{-~])/y;
const special = /[![`*_~=\\|]/g;
const longestCode = 1000;

export function keepInline(
  keeper: TextKeeper,
  line: string,
  from: number,
  offset: number,
  isTable: boolean,
): void {
  const keep = (start: number, end: number): void => keeper.keep(offset + start, offset + end);
  let kept = from;
  let at = from;
  /** Leaves out up to `start`, keeps the shown range, and goes on at `end`. */
  const show = (start: number, end: number, next: number): void => {
    keep(kept, at);
    if (end > start) keepInline(keeper, line.slice(0, end), start, offset, isTable);
    kept = next;
    at = next;
  };
  while (at < line.length) {
    special.lastIndex = at;
    const found = special.exec(line);
    if (found === null) break;
    at = found.index;
    const code = matchAt(codeTicks, line, at);
    const shown = linkTextAt(line, at);
    if (code !== undefined) {
      const open = at + code[0].length;
      const close = closingTicks(line, open, code[0].length);
      keep(kept, at);
      if (close >= 0) keep(open, close);
      at = close >= 0 ? close + code[0].length : open;
      kept = at;
    } else if (shown !== undefined) {
      show(shown.start, shown.end, shown.next);
    } else if (line[at] === '|' && isTable) {
      show(at, at, at + 1);
      keeper.space();
    } else if (matchAt(escaped, line, at) !== undefined) {
      show(at, at, at + 1);
      at += 1;
    } else {
      const signs = matchAt(emphasis, line, at)?.[0];
      if (signs !== undefined && isEmphasis(line, at, signs)) show(at, at, at + signs.length);
      else at += signs?.length ?? 1;
    }
  }
  keep(kept, line.length);
}

function matchAt(pattern: RegExp, line: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(line) ?? undefined;
}

/** Where the words of the link at `at` are, and where the text goes on behind it. */
function linkTextAt(line: string, at: number): { start: number; end: number; next: number } | undefined {
  if (line[at] !== '[' && !(line[at] === '!' && line[at + 1] === '[')) return undefined;
  const wiki = matchAt(wikiLink, line, at);
  if (wiki !== undefined) {
    const next = at + wiki[0].length;
    const shown = wiki[2] ?? wiki[1] ?? '';
    return { start: next - 2 - shown.length, end: next - 2, next };
  }
  const found = matchAt(link, line, at);
  if (found === undefined) return undefined;
  const start = at + found[0].indexOf('[') + 1;
  return { start, end: start + (found[1] ?? '').length, next: at + found[0].length };
}

function closingTicks(line: string, from: number, length: number): number {
  let at = line.indexOf('`', from);
  while (at >= 0 && at - from <= longestCode) {
    const run = matchAt(codeTicks, line, at)?.[0].length ?? 1;
    if (run === length) return at;
    at = line.indexOf('`', at + run);
  }
  return -1;
}

/** Signs are emphasis at the edge of a word; between letters only a doubled sign is (`2*3`, `snake_case`). */
function isEmphasis(line: string, at: number, signs: string): boolean {
  const before = isWordAt(line, at - 1);
  const after = isWordAt(line, at + signs.length);
  if (before && after) return signs === '**' || signs === '***';
  const touches = (index: number): boolean =>
    index >= 0 && index < line.length && !/\s/.test(line.charAt(index));
  return touches(at - 1) || touches(at + signs.length);
}

function isWordAt(line: string, at: number): boolean {
  const character = line.charAt(at);
  if (character === '') return false;
  // Half of a surrogate pair is taken for a word: letters beyond the basic plane are more likely than signs.
  const code = character.charCodeAt(0);
  return (code >= 0xd800 && code <= 0xdfff) || (classOf(code) & wordCharacter) !== 0;
}
