/**
 * The few words of a page that show why it was found. Matches are marked by offsets, never by markup: what a
 * page says must not be able to pass for the marking.
 */
import { bestWindow, type Hit } from './best-window.ts';
import { cutWindow, graphemeEdges } from './cut-window.ts';
import { phraseForms, phraseRanges } from './find-phrase.ts';
import { foldWithMap, sourceRange } from './fold.ts';
import type { Language } from './language.ts';
import { plainText } from './plain-text.ts';
import type { SearchQuery } from './search-query.ts';
import { termSpans } from './term-spans.ts';

/** A heading's section as a range of the body, with the titles from the outermost heading to its own. */
export interface HeadingRange {
  start: number;
  end: number;
  path: readonly string[];
}

export interface SnippetOptions {
  headings?: readonly HeadingRange[];
  /** The longest snippet in UTF-16 code units, ellipses included. */
  maxCharacters?: number;
  /** Of the page that the body is of. */
  language?: Language;
}

export interface Snippet {
  text: string;
  /** Where in the body the text was taken from. */
  start: number;
  end: number;
  /** Where in the body the first match of the text stands; without one, where the text begins. */
  at: number;
  /** Ranges of `text` that match the query, in order, not touching. */
  marks: [from: number, to: number][];
  heading_path?: string[];
}

const ellipsis = '…';

export function makeSnippet(query: SearchQuery, body: string, options: SnippetOptions = {}): Snippet {
  const { headings = [], maxCharacters = 240, language = 'en' } = options;
  const plain = plainText(body);
  const fits = plain.text.length <= maxCharacters;
  const room = fits ? plain.text.length : Math.max(0, Math.floor(maxCharacters) - 2 * ellipsis.length);
  const hits = [...phraseHits(query, plain.text), ...tokenHits(query, plain.text, language)].sort(byPlace);
  const shown = bestWindow(hits, room);
  const [start, end] = placeWindow(plain.text, shown, room);
  const before = start > 0 && end > start ? ellipsis : '';
  const after = end < plain.text.length && end > start ? ellipsis : '';
  const inside = hits.filter((hit) => hit.start >= start && hit.end <= end);
  const cut = plain.text.slice(start, end);
  const source = plain.sourceIndex(start);
  const at = plain.sourceIndex(inside[0]?.start ?? start);
  const path = headingAt(headings, at);
  return {
    text: before + cut + after,
    start: source,
    end: end > start ? plain.sourceIndex(end - 1) + 1 : source,
    at,
    marks: merged(inside, start, graphemeEdges(cut, 0, cut.length), before.length),
    ...(path === undefined ? {} : { heading_path: [...path] }),
  };
}

function byPlace(a: Hit, b: Hit): number {
  return a.start - b.start || b.end - a.end;
}

function phraseHits(query: SearchQuery, text: string): Hit[] {
  if (query.phrases.length === 0) return [];
  const folded = foldWithMap(text);
  const hits: Hit[] = [];
  for (const phrase of query.phrases) {
    for (const form of phraseForms(phrase.text)) {
      for (const [from, to] of phraseRanges(folded.text, form)) {
        const [start, end] = sourceRange(folded, from, to);
        hits.push({ start, end, name: phrase.text, isPhrase: true });
      }
    }
  }
  return hits;
}

function tokenHits(query: SearchQuery, text: string, language: Language): Hit[] {
  const spans = termSpans(text, new Set(query.tokens), language);
  return spans.map(({ start, end, token }) => ({ start, end, name: token, isPhrase: false }));
}

/** Puts the hits a third of the way into the window, so that what leads to them is shown and what follows too. */
function placeWindow(text: string, shown: readonly Hit[], room: number): [start: number, end: number] {
  const core = {
    start: shown[0]?.start ?? 0,
    end: shown.reduce((end, hit) => Math.max(end, hit.end), 0),
  };
  const spare = Math.max(0, room - (core.end - core.start));
  const wish = Math.max(0, core.start - Math.floor(spare / 3));
  const from = Math.max(0, Math.min(wish, text.length - room));
  return cutWindow(text, from, Math.min(text.length, from + room), core);
}

/** Marks cover whole graphemes and swallow each other where they meet. */
function merged(
  hits: readonly Hit[],
  origin: number,
  edges: readonly number[],
  shift: number,
): Snippet['marks'] {
  const marks: Snippet['marks'] = [];
  for (const hit of hits) {
    const from = (edges.findLast((edge) => edge <= hit.start - origin) ?? 0) + shift;
    const to = (edges.find((edge) => edge >= hit.end - origin) ?? hit.end - origin) + shift;
    const last = marks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else marks.push([from, to]);
  }
  return marks;
}

/** The innermost section: of those around the place, the one that begins last. */
function headingAt(headings: readonly HeadingRange[], at: number): readonly string[] | undefined {
  let found: HeadingRange | undefined;
  for (const heading of headings) {
    if (heading.start > at || heading.end <= at) continue;
    if (found === undefined || heading.start >= found.start) found = heading;
  }
  return found?.path;
}
