/** Where a list of results goes on: behind one result, and past the windows of candidates that were used up before. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import { isUuid, type PageId } from '../../kernel/ids.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { SearchHit } from './ports/search-index.ts';
import type { FusedHit } from './search/fuse.ts';

/** A hit with its rank: exact titles before exact phrases before the rest. */
export interface RankedHit extends FusedHit {
  readonly rank: number;
}

/** The windows of candidates that were looked at before: those that follow go by words alone. */
export interface Past {
  /** The last one by words. */
  readonly behind: SearchHit;
  /** How many there were by words. */
  readonly count: number;
  /** Marks of those that came before it was their turn: for their meaning or their title. */
  readonly outOfTurn: ReadonlySet<string>;
}

const hit = { score: z.number(), at: z.int(), id: z.string().refine(isUuid) };
const shape = z.object({
  of: z.string(),
  last: z.object({ rank: z.int().min(0), ...hit }).optional(),
  past: z.object({ ...hit, count: z.int().min(0), out: z.string() }).optional(),
});
type Last = NonNullable<z.output<typeof shape>['last']>;

export interface SearchPlace {
  /** The result shown last of this window of candidates. */
  readonly last?: Last | undefined;
  readonly past?: Past | undefined;
}

export function readPlace(cursor: string | undefined, of: string): SearchPlace {
  if (cursor === undefined) return {};
  const { last, past, ...asked } = readCursor(cursor, shape);
  if (asked.of !== of)
    throw new SluiceError('invalid_input', '"cursor" belongs to another search', { field: 'cursor' });
  return {
    last,
    past: past && {
      behind: { page: past.id as PageId, score: past.score, updatedAt: past.at },
      count: past.count,
      outOfTurn: new Set(past.out.match(everyMark)),
    },
  };
}

export function writePlace({ last, past }: SearchPlace, of: string): string {
  if (!past) return writeCursor({ of, last });
  const { behind, count, outOfTurn } = past;
  const out = [...outOfTurn].join('');
  return writeCursor({
    of,
    last,
    past: { score: behind.score, at: behind.updatedAt, id: behind.page, count, out },
  });
}

/** The end of an id is chance: so much of it tells pages apart and keeps a cursor short. */
export const markOf = (page: PageId): string => Buffer.from(page.slice(-10), 'hex').toString('base64url');
const everyMark = /.{7}/g;

export const behindHit = (hit: RankedHit): Last => ({
  rank: hit.rank,
  score: hit.score,
  at: hit.updatedAt,
  id: hit.page,
});

/** By rank, then score, then newest, then id: the same order every time. */
export function comparePlaces(hit: RankedHit, other: Last): number {
  return (
    hit.rank - other.rank ||
    other.score - hit.score ||
    other.at - hit.updatedAt ||
    (hit.page === other.id ? 0 : hit.page < other.id ? -1 : 1)
  );
}

/** Behind the result shown last, wherever that stands now: other pages may have shifted every score meanwhile. */
export function restOf(ranked: readonly RankedHit[], { last }: SearchPlace): readonly RankedHit[] {
  if (!last) return ranked;
  const at = ranked.findIndex((hit) => hit.page === last.id && hit.updatedAt === last.at);
  return at < 0 ? ranked.filter((hit) => comparePlaces(hit, last) > 0) : ranked.slice(at + 1);
}
