/**
 * The headings of a page with the sections they open, and the search for one of them. Only headings that stand on the
 * page itself count; those in quotes and list items open no section. A search never guesses and never makes anything.
 */

import { atxContent, atxLevel } from './block-syntax.ts';
import { nearest } from './nearest-titles.ts';
import type { BlockSlice } from './split-blocks.ts';
import { splitBlocks } from './split-blocks.ts';

export interface Heading {
  readonly level: number;
  /** As written, without the marks of the heading and without a block id at its end. */
  readonly title: string;
  readonly start: number;
  /** Where the section ends: at the next heading of the same or a higher level. */
  readonly end: number;
  /** Titles from the top down to this one. */
  readonly path: readonly string[];
  /** Counts headings of equal path, from 1. */
  readonly ordinal: number;
}

export function outline(text: string, blocks: readonly BlockSlice[] = splitBlocks(text)): readonly Heading[] {
  const headings: Heading[] = [];
  const above: { level: number; title: string }[] = [];
  const seen = new Map<string, number>();
  const found = blocks.filter((block) => block.level !== undefined);
  const ends = sectionEnds(found, text.length);
  for (const [i, block] of found.entries()) {
    const level = block.level ?? 1;
    const title = headingTitle(text.slice(block.start, block.end));
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    above.push({ level, title });
    const path = above.map((heading) => heading.title);
    const key = JSON.stringify(path);
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    headings.push({ level, title, start: block.start, end: ends[i] ?? text.length, path, ordinal });
  }
  return headings;
}

/** Where the section of each heading ends, found from the last to the first. */
function sectionEnds(headings: readonly BlockSlice[], textEnd: number): number[] {
  const nextAt = new Array<number>(7).fill(textEnd);
  const ends: number[] = [];
  for (const { level = 1, start } of headings.toReversed()) {
    ends.push(nextAt[level] ?? textEnd);
    nextAt.fill(start, level);
  }
  return ends.reverse();
}

function headingTitle(source: string): string {
  const body = source.replace(/^\ufeff/, '').trim();
  if (atxLevel(body, 0, body.length) > 0) {
    const content = atxContent(body, 0, body.length);
    return withoutAnchor(body.slice(content.start, content.end));
  }
  const lines = body.split(/\r\n|\n|\r/).slice(0, -1);
  return withoutAnchor(lines.map((line) => line.trim()).join(' '));
}

function withoutAnchor(title: string): string {
  return title.replace(/(?<![ \t])[ \t]+\^[A-Za-z0-9-]+$/, '');
}

export type SectionSearch =
  | Heading
  | { readonly missing: true; readonly near: readonly string[] }
  | { readonly ambiguous: readonly Heading[] };

/**
 * The heading that `reference` names: a title, or a path like `A#B` whose parts follow one another downwards, perhaps
 * with levels left out. What is written exactly so comes before what is equal after folding case, punctuation and
 * spacing. `ordinal` tells apart headings of equal path.
 */
export function findSection(
  headings: readonly Heading[],
  reference: string,
  ordinal?: number,
): SectionSearch {
  const [first, ...others] = matchingHeadings(headings, reference, ordinal);
  if (first && others.length === 0) return first;
  if (first) return { ambiguous: [first, ...others] };
  return { missing: true, near: nearest(headings, bare(reference)) };
}

/** All that `findSection` would choose from. */
export function matchingHeadings(
  headings: readonly Heading[],
  reference: string,
  ordinal?: number,
): readonly Heading[] {
  const wanted = bare(reference);
  const matches = matching(headings, wanted);
  return ordinal === undefined ? matches : withOrdinal(matches, wanted, ordinal);
}

const bare = (reference: string): string => reference.replace(/^[#\s]+/, '').trim();

function matching(headings: readonly Heading[], wanted: string): readonly Heading[] {
  if (wanted === '') return [];
  const parts = splitPath(wanted);
  const folded = parts.map(fold);
  const whole = fold(wanted);
  // A title may itself hold a `#`, so the reference is also read undivided.
  const readings: ((heading: Heading) => boolean)[] = [
    ({ title, path }) => title === wanted || endsWithPath(path, parts),
    (heading) =>
      endsWithPath(foldedPath(heading), folded) ||
      (heading.title.includes('#') && fold(heading.title) === whole),
  ];
  for (const reading of readings) {
    const found = headings.filter(reading);
    if (found.length > 0) return found;
  }
  return [];
}

/** Of several paths that end alike, an ordinal means the one that is written in full, if there is one. */
function withOrdinal(matches: readonly Heading[], wanted: string, ordinal: number): readonly Heading[] {
  const parts = splitPath(wanted).map(fold);
  const full = matches.filter((heading) => heading.path.length === parts.length);
  return (full.length > 0 ? full : matches).filter((heading) => heading.ordinal === ordinal);
}

function splitPath(reference: string): string[] {
  return reference
    .split('#')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** True when the last of `parts` is the last of `path` and the others stand above it in order. */
function endsWithPath(path: readonly string[], parts: readonly string[]): boolean {
  let left = parts.length - 1;
  if (left < 0 || path.at(-1) !== parts[left]) return false;
  for (let i = path.length - 2; i >= 0 && left > 0; i--) if (path[i] === parts[left - 1]) left--;
  return left === 0;
}

const foldedPaths = new WeakMap<Heading, readonly string[]>();

/** Kept, because a page may have thousands of headings and be asked for hundreds of them. */
function foldedPath(heading: Heading): readonly string[] {
  const known = foldedPaths.get(heading);
  if (known) return known;
  const folded = heading.path.map(fold);
  foldedPaths.set(heading, folded);
  return folded;
}

/** A title as it is compared: one case, without punctuation and spacing. One of marks only stays as it is. */
function fold(title: string): string {
  const lower = title.normalize('NFKC').toLowerCase();
  const folded = lower.replace(/[\p{P}\p{Sk}\p{Z}\p{C}|]+/gu, '');
  return folded === '' ? lower.trim() : folded;
}
