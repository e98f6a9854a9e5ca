/**
 * Divides folded text into segments of one way of writing and cuts each segment into terms: words whole,
 * Chinese, Japanese and Korean into characters and pairs, Thai and its neighbours into pairs and triples.
 */
import {
  cjkCharacter,
  classOf,
  emojiCharacter,
  trailingCharacter,
  unspacedCharacter,
  wordCharacter,
} from './character-class.ts';

export type SegmentKind = 'word' | 'cjk' | 'unspaced' | 'emoji';

export interface Segment {
  kind: SegmentKind;
  from: number;
  to: number;
}

/** An index holds every gram a query may ask for; a query asks only for the longest grams it can. */
export type TermPurpose = 'index' | 'query';

export const longestTerm = 64;

export function segmentsOf(folded: string): Segment[] {
  const segments: Segment[] = [];
  let open: Segment | undefined;
  let at = 0;
  while (at < folded.length) {
    const code = folded.codePointAt(at) ?? 0;
    const next = at + (code > 0xffff ? 2 : 1);
    const kind = kindOf(classOf(code), open?.kind);
    if (open !== undefined && kind === open.kind && kind !== 'emoji') {
      open.to = next;
    } else if (kind === undefined) {
      open = undefined;
    } else {
      open = { kind, from: at, to: next };
      segments.push(open);
    }
    at = next;
  }
  return segments;
}

function kindOf(flags: number, open: SegmentKind | undefined): SegmentKind | undefined {
  if ((flags & emojiCharacter) !== 0) return 'emoji';
  if ((flags & wordCharacter) === 0) return undefined;
  if ((flags & cjkCharacter) !== 0) return 'cjk';
  if ((flags & unspacedCharacter) !== 0) return 'unspaced';
  if ((flags & trailingCharacter) !== 0 && open !== undefined && open !== 'emoji') return open;
  return 'word';
}

/** Calls `emit` with the range of each term of the segment, in order. */
export function eachTerm(
  folded: string,
  segment: Segment,
  purpose: TermPurpose,
  emit: (from: number, to: number) => void,
): void {
  if (segment.kind === 'cjk') emitGrams(folded, segment, purpose === 'index' ? [1, 2] : [2], emit);
  else if (segment.kind === 'unspaced') emitGrams(folded, segment, purpose === 'index' ? [2, 3] : [3], emit);
  else emitChunks(folded, segment, emit);
}

/** A word longer than a term is given in chunks, so that its beginning and its middle are both found. */
function emitChunks(folded: string, segment: Segment, emit: (from: number, to: number) => void): void {
  let from = segment.from;
  while (from < segment.to) {
    const to = Math.min(wholeCharacters(folded, from + longestTerm), segment.to);
    emit(from, to);
    from = to;
  }
}

/** `end`, or one less where it would cut a surrogate pair. */
export function wholeCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

/** Grams of the given sizes at every character; a segment shorter than the smallest size is one gram. */
function emitGrams(
  folded: string,
  segment: Segment,
  sizes: readonly number[],
  emit: (from: number, to: number) => void,
): void {
  const edges = characterEdges(folded, segment);
  const count = edges.length - 1;
  const shortest = Math.min(...sizes);
  if (count < shortest) {
    emit(segment.from, segment.to);
    return;
  }
  for (let first = 0; first < count; first += 1) {
    for (const size of sizes) {
      const from = edges[first];
      const to = edges[first + size];
      if (from !== undefined && to !== undefined) emit(from, Math.min(to, from + longestTerm));
    }
  }
}

/**
 * Where characters begin, and the end. A mark left on a Han or Kana character belongs to it; in Thai, Lao,
 * Khmer and Myanmar marks are written letters and count as characters, so that any part of a run is found.
 */
function characterEdges(folded: string, segment: Segment): number[] {
  const edges: number[] = [];
  let at = segment.from;
  while (at < segment.to) {
    const code = folded.codePointAt(at) ?? 0;
    const joins = segment.kind === 'cjk' && at > segment.from && (classOf(code) & trailingCharacter) !== 0;
    if (!joins) edges.push(at);
    at += code > 0xffff ? 2 : 1;
  }
  edges.push(segment.to);
  return edges;
}
