/**
 * Finds, in one linear pass over a stretch of prose, the links in it and the ranges that are no prose: code spans,
 * formulas, comments, raw HTML and autolinks.
 *
 * What begins first wins, as in CommonMark, save that a code span wins over a formula and over a wiki link that it
 * overlaps. A link holds no link: round a wiki link, `[…](…)` is none, but round an embed it is, and an image may hold
 * either. Uses of reference links (`[a][b]`) are not told apart from plain brackets.
 */

import { BacktickRuns } from './backtick-runs.ts';
import {
  BACKSLASH,
  BACKTICK,
  BANG,
  DOLLAR,
  isAsciiPunctuation,
  isDigit,
  isSpace,
  LEFT_BRACKET,
  LESS,
  PERCENT,
  QUESTION,
} from './char-codes.ts';
import { autolinkEnd, tagEnd } from './html-syntax.ts';
import type { InertToken, InlineToken } from './inline-tokens.ts';
import { readResource } from './link-destination.ts';
import type { CodeSpan } from './wiki-brackets.ts';
import { wikiInnerEnd } from './wiki-brackets.ts';

/** The tokens of `source`, by where they start. `isHtml` says that the prose stands in an HTML block. */
export function scanInline(source: string, isHtml = false): InlineToken[] {
  return new InlineScanner(source, isHtml).run();
}

const isMark = new Uint8Array(128);
for (const mark of '\\`$<%[]') isMark[mark.charCodeAt(0)] = 1;

class InlineScanner {
  readonly #source: string;
  readonly #isHtml: boolean;
  readonly #tokens: InlineToken[] = [];
  /** The brackets that are open: twice the offset, plus one for an image. Those below `#dead` hold a link already. */
  readonly #brackets: number[] = [];
  #dead = 0;
  #escapedAt = -1;
  #runs: BacktickRuns | undefined;
  /** Offsets from which a search for the end of something is known to fail, so that it is not made again. */
  readonly #failsFrom = new Map<string, number>();

  constructor(source: string, isHtml: boolean) {
    this.#source = source;
    this.#isHtml = isHtml;
  }

  run(): InlineToken[] {
    const source = this.#source;
    const length = source.length;
    let i = 0;
    while (i < length) {
      const code = source.charCodeAt(i);
      if (code > 127 || isMark[code] === 0) i++;
      else i = this.#read(code, i);
    }
    return this.#tokens.sort((a, b) => a.start - b.start);
  }

  /** Reads the mark at `at` and answers where to go on. */
  #read(code: number, at: number): number {
    switch (code) {
      case BACKSLASH:
        if (!isAsciiPunctuation(this.#source.charCodeAt(at + 1))) return at + 1;
        this.#escapedAt = at + 1;
        return at + 2;
      case BACKTICK:
        return this.#readCode(at);
      case DOLLAR:
        return this.#readMath(at);
      case PERCENT:
        return this.#readUntil(at, '%%', '%%', 'comment') ?? at + 1;
      case LESS:
        return this.#readHtml(at);
      case LEFT_BRACKET:
        return this.#readOpening(at);
      default:
        return this.#readClosing(at);
    }
  }

  #add(kind: InertToken['kind'], start: number, end: number): number {
    this.#tokens.push({ kind, start, end });
    return end;
  }

  #readCode(at: number): number {
    const { after, end } = this.#codeSpan(at);
    return end < 0 ? after : this.#add('code', at, end);
  }

  /** The end of the run of backticks at `at`, and of the code span that it opens, or -1. */
  #codeSpan(at: number): CodeSpan {
    let after = at + 1;
    while (this.#source.charCodeAt(after) === BACKTICK) after++;
    this.#runs ??= new BacktickRuns(this.#source);
    return { after, end: this.#runs.spanEnd(after, after - at) };
  }

  #readMath(at: number): number {
    const source = this.#source;
    let inside = at;
    while (source.charCodeAt(inside) === DOLLAR) inside++;
    const isDisplay = inside - at > 1;
    const from = isDisplay ? inside : at + 1;
    if (!isDisplay && (from >= source.length || isSpace(source.charCodeAt(from)))) return from;
    const search = isDisplay ? '$$' : '$';
    if (at >= (this.#failsFrom.get(search) ?? Number.POSITIVE_INFINITY)) return from;
    const end = this.#mathEnd(from, isDisplay);
    if (end >= 0) return this.#add('math', at, end);
    this.#failsFrom.set(search, at);
    return from;
  }

  #mathEnd(from: number, isDisplay: boolean): number {
    const source = this.#source;
    let i = from;
    while (i < source.length) {
      const code = source.charCodeAt(i);
      if (code === BACKSLASH) {
        i += 2;
      } else if (code === BACKTICK) {
        const { after, end } = this.#codeSpan(i);
        i = end < 0 ? after : end;
      } else if (code === DOLLAR) {
        if (isDisplay && source.charCodeAt(i + 1) === DOLLAR) return i + 2;
        if (!isDisplay && !isSpace(source.charCodeAt(i - 1)) && !isDigit(source.charCodeAt(i + 1)))
          return i + 1;
        i++;
      } else {
        i++;
      }
    }
    return -1;
  }

  /** Reads what begins with `open` at `at` and ends with `close`; undefined when it does not. */
  #readUntil(at: number, open: string, close: string, kind: InertToken['kind']): number | undefined {
    if (!this.#source.startsWith(open, at)) return undefined;
    if (at >= (this.#failsFrom.get(close) ?? Number.POSITIVE_INFINITY)) return undefined;
    const found = this.#source.indexOf(close, at + open.length);
    if (found >= 0) return this.#add(kind, at, found + close.length);
    this.#failsFrom.set(close, at);
    return undefined;
  }

  #readHtml(at: number): number {
    const source = this.#source;
    const next = source.charCodeAt(at + 1);
    if (next === BANG) return this.#readDeclaration(at);
    if (next === QUESTION) return this.#readUntil(at, '<?', '?>', 'html') ?? at + 1;
    const auto = autolinkEnd(source, at);
    if (auto > 0) return this.#add('html', at, auto);
    const tag = tagEnd(source, at, source.length);
    return tag > 0 ? this.#add('html', at, tag) : at + 1;
  }

  #readDeclaration(at: number): number {
    const source = this.#source;
    if (source.startsWith('<!-->', at)) return this.#add('comment', at, at + 5);
    if (source.startsWith('<!--->', at)) return this.#add('comment', at, at + 6);
    if (source.startsWith('<!--', at)) {
      const end = this.#readUntil(at, '<!--', '-->', 'comment');
      if (end !== undefined) return end;
      // In an HTML block a browser would take the rest for the comment.
      return this.#isHtml ? this.#add('comment', at, source.length) : at + 1;
    }
    if (source.startsWith('<![CDATA[', at)) return this.#readUntil(at, '<![CDATA[', ']]>', 'html') ?? at + 1;
    return /[a-z]/i.test(source.charAt(at + 2)) ? (this.#readUntil(at, '<!', '>', 'html') ?? at + 1) : at + 1;
  }

  #readOpening(at: number): number {
    if (this.#source.charCodeAt(at + 1) === LEFT_BRACKET) {
      const innerEnd = wikiInnerEnd(this.#source, at + 2, (tick) => this.#codeSpan(tick));
      if (innerEnd >= 0) {
        const embed = this.#isEmbed(at);
        if (!embed) this.#dead = this.#brackets.length;
        const end = innerEnd + 2;
        this.#tokens.push({
          kind: 'wiki',
          start: embed ? at - 1 : at,
          end,
          embed,
          innerStart: at + 2,
          innerEnd,
        });
        return end;
      }
    }
    this.#brackets.push(at * 2 + (this.#isEmbed(at) ? 1 : 0));
    return at + 1;
  }

  #isEmbed(bracket: number): boolean {
    return this.#source.charCodeAt(bracket - 1) === BANG && this.#escapedAt !== bracket - 1;
  }

  #readClosing(at: number): number {
    const bracket = this.#brackets.pop();
    if (bracket === undefined) return at + 1;
    const open = Math.floor(bracket / 2);
    const embed = bracket % 2 === 1;
    const isDead = this.#brackets.length < this.#dead;
    if (isDead) this.#dead = this.#brackets.length;
    if (isDead && !embed) return at + 1;
    const resource = readResource(this.#source, at + 1);
    if (!resource) return at + 1;
    const { close, ...destination } = resource;
    if (!embed) this.#dead = this.#brackets.length;
    this.#tokens.push({
      kind: 'link',
      start: embed ? open - 1 : open,
      end: close,
      embed,
      textStart: open + 1,
      textEnd: at,
      destination,
    });
    return close;
  }
}
