/** A link as it stands in a page, with the exact span that a rename would replace, and the readers of its target. */

import { BACKSLASH, HASH, isAsciiPunctuation } from './char-codes.ts';
import type { Dialect } from './dialect.ts';

export interface LinkSpan {
  /** `reference` is a link reference definition, `[label]: target`. */
  readonly form: 'wiki' | 'markdown' | 'reference';
  readonly embed: boolean;
  /** The whole construct, with its `!`. */
  readonly start: number;
  readonly end: number;
  /** The path as written, without the white space round it, angle brackets, fragment, display text or title. */
  readonly targetStart: number;
  readonly targetEnd: number;
  /** The path as meant; empty for a link into the page itself. */
  readonly path: string;
  /** What follows the first `#`, and where it stands. */
  readonly fragment?: string;
  readonly fragmentStart?: number;
  readonly fragmentEnd?: number;
  /** The text after the bar, or the text in the brackets of a Markdown link, as written. */
  readonly display?: string;
  /** Written as `<target>`. */
  readonly angle: boolean;
  /** The path was written with percent escapes. */
  readonly encoded: boolean;
  /** The bar was written `\|`, as tables want it. */
  readonly escapedBar: boolean;
  /** It leads out of the workspace: a URI scheme, or `//`. */
  readonly external: boolean;
  /** Parts of the path were written with dots between them. */
  readonly dotted?: true;
  readonly in: 'body' | 'frontmatter';
}

/** The part of a link that is written in its target. Offsets are into the string that was read. */
export type LinkTarget = Pick<
  LinkSpan,
  | 'targetStart'
  | 'targetEnd'
  | 'path'
  | 'fragment'
  | 'fragmentStart'
  | 'fragmentEnd'
  | 'display'
  | 'angle'
  | 'encoded'
  | 'escapedBar'
  | 'external'
  | 'dotted'
>;

/** Reads what stands between the brackets of a wiki link: `path#fragment|display`, or Dendron's way round. */
export function readWikiTarget(
  source: string,
  start: number,
  end: number,
  dialect: Dialect = 'obsidian',
): LinkTarget {
  return dialect === 'dendron' ? readDendron(source, start, end) : readObsidian(source, start, end);
}

function readDendron(source: string, start: number, end: number): LinkTarget {
  const bar = source.slice(start, end).indexOf('|');
  const target = readObsidian(source, start + bar + 1, end);
  const escapedBar = bar > 0 && source.charCodeAt(start + bar - 1) === BACKSLASH;
  return {
    ...target,
    path: target.external ? target.path : target.path.replaceAll('.', '/'),
    ...(bar >= 0 && { display: source.slice(start, start + bar - (escapedBar ? 1 : 0)) }),
    escapedBar,
    ...(!target.external && { dotted: true as const }),
  };
}

function readObsidian(source: string, start: number, end: number): LinkTarget {
  const inner = source.slice(start, end);
  const bar = inner.indexOf('|');
  const escapedBar = bar > 0 && inner.charCodeAt(bar - 1) === BACKSLASH;
  const targetEnd = bar < 0 ? inner.length : escapedBar ? bar - 1 : bar;
  const firstHash = inner.indexOf('#');
  const hash = firstHash < targetEnd ? firstHash : -1;
  const path = trimmedSpan(inner, 0, hash < 0 ? targetEnd : hash);
  const fragment = hash < 0 ? undefined : trimmedSpan(inner, hash + 1, targetEnd);
  const written = inner.slice(path.start, path.end);
  return {
    targetStart: start + path.start,
    targetEnd: start + path.end,
    path: written,
    ...(fragment && {
      fragment: inner.slice(fragment.start, fragment.end),
      fragmentStart: start + fragment.start,
      fragmentEnd: start + fragment.end,
    }),
    ...(bar >= 0 && { display: inner.slice(bar + 1) }),
    angle: false,
    encoded: false,
    escapedBar,
    external: isExternalWiki(written),
  };
}

/** Reads the destination of a Markdown link between two offsets, which exclude its angle brackets. */
export function readMarkdownTarget(source: string, start: number, end: number, angle: boolean): LinkTarget {
  let hash = start;
  while (hash < end && source.charCodeAt(hash) !== HASH) {
    hash += source.charCodeAt(hash) === BACKSLASH && isAsciiPunctuation(source.charCodeAt(hash + 1)) ? 2 : 1;
  }
  const targetEnd = Math.min(hash, end);
  const written = source.slice(start, targetEnd);
  return {
    targetStart: start,
    targetEnd,
    path: decodePercent(unescapeBackslashes(written)),
    ...(targetEnd < end && {
      fragment: decodePercent(unescapeBackslashes(source.slice(targetEnd + 1, end))),
      fragmentStart: targetEnd + 1,
      fragmentEnd: end,
    }),
    angle,
    encoded: percentEscapes.test(written),
    escapedBar: false,
    external: scheme.test(written) || written.startsWith('//'),
  };
}

const percentEscapes = /%[0-9a-f]{2}/i;
const percentRuns = /(?:%[0-9a-f]{2})+/gi;
const backslashEscapes = /\\([!-/:-@[-`{-~])/g;

function unescapeBackslashes(written: string): string {
  return written.includes('\\') ? written.replace(backslashEscapes, '$1') : written;
}

/** Decodes the escapes that are UTF-8 and leaves the others as they stand. */
function decodePercent(written: string): string {
  return written.includes('%') ? written.replace(percentRuns, decodeRun) : written;
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
}

/** A scheme has two letters at least: `C:` is a drive. */
const scheme = /^[a-z][a-z0-9+.-]+:(?!\s)/i;
const schemeWithAuthority = /^[a-z][a-z0-9+.-]+:\/\//i;
/** Schemes that need no `//`. Any other word before a colon is part of a page's title, as in `[[Re:Zero]]`. */
const opaqueScheme =
  /^(?:mailto|tel|sms|data|javascript|urn|news|magnet|geo|about|blob|cid|sip|xmpp):(?!\s)/i;

function isExternalWiki(path: string): boolean {
  return path.startsWith('//') || schemeWithAuthority.test(path) || opaqueScheme.test(path);
}

/** The span without the white space at its ends; empty at its start when it holds nothing else. */
function trimmedSpan(source: string, start: number, end: number): { start: number; end: number } {
  const part = source.slice(start, end);
  const from = start + part.length - part.trimStart().length;
  return from === end ? { start, end: start } : { start: from, end: from + part.trim().length };
}
