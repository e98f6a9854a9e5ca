/**
 * Which page a link means, by Obsidian's order: exact path, then the folder of the page it stands in, then the
 * shortest path. Aliases come last, and what stays undecided is ambiguous rather than guessed.
 */
import type { PageId } from '../../kernel/ids.ts';
import { nameKey, slugOf } from './names.ts';
import { type Ancestor, pathOf } from './page.ts';
import type { LinkStatus } from './ports/link-store.ts';
import type { NameKind } from './ports/page-store.ts';

/** A page that answers to the last part of a link's path, and how to get there. */
export interface Candidate {
  readonly page: PageId;
  readonly kind: NameKind;
  /** Root first, the page itself last. */
  readonly way: readonly Ancestor[];
}

export interface Resolution {
  readonly status: LinkStatus;
  readonly target: PageId | null;
  /** For an ambiguous link, what it may mean. */
  readonly candidates: readonly PageId[];
}

const UNRESOLVED: Resolution = { status: 'unresolved', target: null, candidates: [] };

/** The folded name that a page must have to be meant by this path; empty when no page can be. */
export function targetKey(path: string): string {
  return nameKey(segmentsOf(path).at(-1) ?? '');
}

const KINDS: readonly NameKind[] = ['title', 'slug', 'alias'];

/** `place` is the way to the page the link stands in, itself last. */
export function resolveLink(
  path: string,
  place: readonly Ancestor[],
  candidates: readonly Candidate[],
): Resolution {
  const segments = segmentsOf(path);
  if (segments.length === 0) return UNRESOLVED;
  const ranked = KINDS.map((kind) => fittingOf(candidates, segments, kind));
  const start = relativeStart(path, place);
  const found = start && ranked.map((fitting) => standingAt(fitting, start, segments.length));
  const there = found?.find((standing) => standing.length === 1);
  if (there) return resolved(there[0]);
  for (const fitting of ranked) {
    const chosen = choose(fitting, segments.length, place);
    if (chosen.status !== 'unresolved') return chosen;
  }
  return UNRESOLVED;
}

/** Who has exactly the names that are written, or else who has slugs as those names would give. */
function fittingOf(
  candidates: readonly Candidate[],
  segments: readonly string[],
  kind: NameKind,
): readonly Candidate[] {
  const named = distinct(candidates.filter((candidate) => candidate.kind === kind));
  const exactly = named.filter((candidate) => endsWith(candidate, segments, hasName));
  return exactly.length > 0
    ? exactly
    : named.filter((candidate) => endsWith(candidate, segments, hasSlugLike));
}

/** Where a path that begins with `./` or `../` counts from; undefined for any other, and above the root. */
function relativeStart(path: string, place: readonly Ancestor[]): readonly Ancestor[] | undefined {
  const parts = path.split('/').map((part) => part.trim());
  const steps = parts.slice(
    0,
    parts.findIndex((part) => part !== '.' && part !== '..'),
  );
  const up = steps.filter((step) => step === '..').length;
  const folder = place.slice(0, -1);
  if (steps.length === 0 || up > folder.length) return undefined;
  return folder.slice(0, folder.length - up);
}

const standingAt = (
  fitting: readonly Candidate[],
  start: readonly Ancestor[],
  segments: number,
): readonly Candidate[] =>
  fitting.filter(
    ({ way }) => way.length === start.length + segments && start.every((step, i) => step.id === way[i]?.id),
  );

function choose(fitting: readonly Candidate[], segments: number, place: readonly Ancestor[]): Resolution {
  const exact = fitting.filter((candidate) => candidate.way.length === segments);
  if (exact.length === 1) return resolved(exact[0]);
  const folder = place.at(-2)?.id;
  const beside = fitting.filter(
    (candidate) => candidate.way.at(-1 - segments)?.id === folder && segments === 1,
  );
  if (beside.length === 1) return resolved(beside[0]);
  const shortest = fitting.reduce(
    (least, { way }) => Math.min(least, pathOf(way).length),
    Number.POSITIVE_INFINITY,
  );
  const nearest = fitting.filter((candidate) => pathOf(candidate.way).length === shortest);
  if (nearest.length === 1) return resolved(nearest[0]);
  if (nearest.length === 0) return UNRESOLVED;
  return { status: 'ambiguous', target: null, candidates: fitting.map((candidate) => candidate.page) };
}

const resolved = (candidate: Candidate | undefined): Resolution =>
  candidate ? { status: 'resolved', target: candidate.page, candidates: [] } : UNRESOLVED;

/** A path as written: without the extension, and with `.`, `..` and empty parts carried out as far as they go. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const part of path.replace(/\.(md|markdown)$/i, '').split('/')) {
    if (part.trim() === '..') segments.pop();
    else if (!['', '.'].includes(part.trim())) segments.push(part);
  }
  return segments;
}

/** Each part of the path fits the page or ancestor at its place. */
function endsWith(
  { way, kind }: Candidate,
  segments: readonly string[],
  fits: (step: Ancestor, key: string) => boolean,
): boolean {
  if (segments.length > way.length) return false;
  const tail = way.slice(way.length - segments.length);
  return tail.every((step, i) => {
    if (i === tail.length - 1 && kind === 'alias') return true;
    return fits(step, nameKey(segments[i] ?? ''));
  });
}

const hasName = (step: Ancestor, key: string): boolean =>
  nameKey(step.title) === key || nameKey(step.slug) === key;

const hasSlugLike = (step: Ancestor, key: string): boolean =>
  hasName(step, key) || nameKey(step.slug) === nameKey(slugOf(key));

function distinct(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.page, candidate])).values()];
}
