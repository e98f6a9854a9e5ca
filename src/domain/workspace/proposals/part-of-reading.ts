/** A proposal in parts: its diffs and pages may be more than one answer should hold. */
import { z } from 'zod';
import { SluiceError } from '../../../kernel/errors.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { cutAt, estimateTokens } from '../token-budget.ts';
import type { ConcernedPage } from './concerned-pages.ts';

export interface Whole {
  /** Of the page it is about; what is shown in parts must be of one and the same. */
  readonly version: string | null;
  readonly diff: string;
  /** What would land, where that is something else. */
  readonly landing: string | undefined;
  readonly pages: readonly ConcernedPage[];
}

export interface Part {
  readonly diff: string;
  readonly landing: string | undefined;
  readonly pages: readonly ConcernedPage[];
  /** Pages that come after these. */
  readonly pagesLeft: number;
  readonly nextCursor?: string;
}

const place = z.object({
  version: z.string().nullable(),
  diff: z.int().min(0),
  landing: z.int().min(0),
  page: z.int().min(0),
});

/** About what a page takes without its diff. */
const PAGE_TOKENS = 60;

/** Pages get half of the room where there are several; each part goes on in at least one place. */
export function partOf(whole: Whole, maxTokens: number, cursor: string | undefined): Part {
  const at =
    cursor === undefined
      ? { version: whole.version, diff: 0, landing: 0, page: 0 }
      : readCursor(cursor, place);
  if (at.version !== whole.version)
    throw new SluiceError('conflict', 'The page has changed since the part before; read the proposal anew', {
      reason: 'stale',
      version: whole.version,
    });
  const pages = somePages(whole.pages.slice(at.page), whole.pages.length > 1 ? maxTokens / 2 : maxTokens);
  let left = maxTokens - pages.reduce((sum, page) => sum + tokensOf(page), 0);
  const diff = someLines(whole.diff, at.diff, left);
  left -= estimateTokens(diff);
  const landing = whole.landing === undefined ? undefined : someLines(whole.landing, at.landing, left);
  const next = {
    version: whole.version,
    diff: at.diff + diff.length,
    landing: at.landing + (landing?.length ?? 0),
    page: at.page + pages.length,
  };
  const pagesLeft = whole.pages.length - next.page;
  const done =
    next.diff >= whole.diff.length && next.landing >= (whole.landing ?? '').length && pagesLeft === 0;
  return { diff, landing, pages, pagesLeft, ...(!done && { nextCursor: writeCursor(next) }) };
}

const tokensOf = ({ change }: ConcernedPage): number => PAGE_TOKENS + estimateTokens(change?.diff ?? '');

function somePages(pages: readonly ConcernedPage[], maxTokens: number): readonly ConcernedPage[] {
  let [count, tokens] = [0, 0];
  for (const page of pages) {
    tokens += tokensOf(page);
    if (count > 0 && tokens > maxTokens) break;
    count += 1;
  }
  return pages.slice(0, count);
}

/** Whole lines as far as they fit; nothing when there is no room at all. */
function someLines(text: string, at: number, maxTokens: number): string {
  if (at >= text.length || maxTokens < 1) return '';
  const edges = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
  return text.slice(at, cutAt(text, at, [...edges, text.length], maxTokens));
}
