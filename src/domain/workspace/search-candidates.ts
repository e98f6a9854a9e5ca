/** The pages that a search looks at closer: by words, by meaning, or by both. */
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import type { SearchFilter, SearchHit, SemanticHit, SemanticIndex } from './ports/search-index.ts';
import { type FusedHit, fuse, NEAR } from './search/fuse.ts';
import type { SearchQuery } from './search/search-query.ts';
import { markOf, type Past } from './search-cursor.ts';
import { type SecondTry, tryMisspelled } from './search-misspelled.ts';

export const SEARCH_MODES = ['hybrid', 'text', 'semantic'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

/** How far search by meaning is: not there, not begun, some changes behind, or up to date. */
export const MEANING_STATES = ['off', 'waiting', 'indexing', 'ready'] as const;
export type MeaningState = (typeof MEANING_STATES)[number];

export interface Candidates {
  readonly hits: readonly FusedHit[];
  /** What was really used. */
  readonly mode: SearchMode;
  readonly meaning: MeaningState;
  /** More pages match than are looked at, and no further window has them. */
  readonly truncated: boolean;
  /** Where the next window begins, if there is one. */
  readonly past?: Past;
  /** How misspelled words were read, if that was tried. */
  readonly secondTry?: SecondTry;
}

/** How many candidates are looked at at once. */
const WINDOW = 200;
/** Farther down, nearness says nothing. */
const NEAREST = 100;

export interface Looking {
  readonly use: WorkspaceMeans;
  readonly scope: ReadScope;
  readonly workspace: WorkspaceId;
  readonly query: SearchQuery;
  readonly filter: SearchFilter;
}

export async function findCandidates(look: Looking, wanted: SearchMode, past?: Past): Promise<Candidates> {
  const { query, filter } = look;
  const meaning = await meaningState(look.use, look.scope, look.workspace);
  if ((query.empty && !hasFilter(filter)) || filter.under?.length === 0)
    return { hits: [], mode: 'text', meaning, truncated: false };
  const semantic = wanted === 'text' ? undefined : usableIndex(look, wanted, meaning);
  if (past) return furtherOn(look, past, semantic ? 'hybrid' : 'text', meaning);
  if (wanted === 'semantic' && semantic) return byMeaningAlone(look, semantic, meaning);
  const [words, near] = [await byWords(look), semantic && (await byMeaning(look, semantic))];
  const called = await calledSo(look, words);
  const worded = [...words.hits, ...called];
  const unread = near && meaning === 'indexing' ? await withoutVectors(look, worded) : undefined;
  const hits = near ? fuse(worded, near, unread) : toFused(worded);
  const secondTry = await tryAgain(look, words.hits);
  return {
    hits:
      worded.length === 0 && secondTry ? readAs(secondTry, near) : [...hits, ...onlyThere(secondTry, hits)],
    ...(secondTry && { secondTry }),
    ...pastOf(words, hits),
    mode: near ? 'hybrid' : 'text',
    meaning: semantic && !near ? 'off' : meaning,
    truncated: secondTry?.truncated ?? false,
  };
}

/** All by words, in their order, so that a search finds every page that has one of them. */
async function furtherOn(
  look: Looking,
  past: Past,
  mode: SearchMode,
  meaning: MeaningState,
): Promise<Candidates> {
  const words = await byWords(look, past.behind);
  const worded = mode === 'hybrid' ? fuse(words.hits, [], undefined, past.count) : toFused(words.hits);
  const hits = worded.filter(({ page }) => !past.outOfTurn.has(markOf(page)));
  return { hits, mode, meaning, truncated: false, ...pastOf(words, hits, past) };
}

function pastOf(words: WordHits, shown: readonly FusedHit[], before?: Past): { past?: Past } {
  const behind = words.hits.at(-1);
  if (!words.isMore || !behind) return {};
  const inTurn = new Set(words.hits.map(({ page }) => page));
  const early = shown.filter(({ page }) => !inTurn.has(page)).map(({ page }) => markOf(page));
  return {
    past: {
      behind,
      count: (before?.count ?? 0) + words.hits.length,
      outOfTurn: before?.outOfTurn ?? new Set(early),
    },
  };
}

async function withoutVectors(
  { use, scope }: Looking,
  hits: readonly SearchHit[],
): Promise<ReadonlySet<string>> {
  const pages = hits.map(({ page }) => page);
  const known = await use.vectors.places(scope, pages);
  return new Set(pages.filter((page) => !known.has(page)));
}

export async function meaningState(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
): Promise<MeaningState> {
  if (!use.semantic) return 'off';
  const progress = await use.vectors.progress(scope, workspace);
  if (!progress) return 'waiting';
  const isCurrent =
    progress.model === use.semantic.model && progress.sequence >= (await use.events.newest(scope, workspace));
  return isCurrent ? 'ready' : 'indexing';
}

/** Undefined when words have to do; a caller who wants meaning and nothing else is told why there is none. */
function usableIndex(
  { use, workspace, query }: Looking,
  wanted: SearchMode,
  state: MeaningState,
): SemanticIndex | undefined {
  if (state === 'waiting') use.indexer?.want(workspace);
  if (wanted === 'semantic' && WHY_NOT[state] !== undefined)
    throw new SluiceError('conflict', `${WHY_NOT[state]}; use mode "text" or "hybrid"`, { reason: state });
  if (!use.semantic || state === 'waiting' || query.text.trim() === '') return undefined;
  return use.semantic.reads(query.text) ? use.semantic : undefined;
}

const WHY_NOT: Partial<Record<MeaningState, string>> = {
  off: 'No embedder is active, so there is no search by meaning',
  waiting: 'No page is indexed by meaning yet; "reindex_search" does it',
};

async function byMeaningAlone(
  look: Looking,
  semantic: SemanticIndex,
  meaning: MeaningState,
): Promise<Candidates> {
  const { scope, workspace, query, filter } = look;
  const found = await semantic.search(scope, workspace, query.text, filter, WINDOW + 1);
  const near = found.filter(({ score }) => score >= NEAR);
  const hits = near.slice(0, WINDOW).map((hit) => ({ ...hit, byWords: false, cosine: hit.score }));
  return { hits, mode: 'semantic', meaning, truncated: near.length > WINDOW };
}

/** Undefined when the embedder fails: then words have to do. */
async function byMeaning(
  { scope, workspace, query, filter }: Looking,
  semantic: SemanticIndex,
): Promise<readonly SemanticHit[] | undefined> {
  try {
    return await semantic.search(scope, workspace, query.text, filter, NEAREST);
  } catch (error) {
    if (error instanceof SluiceError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

interface WordHits {
  readonly hits: readonly SearchHit[];
  readonly isMore: boolean;
}

async function byWords(
  { use, scope, workspace, query, filter }: Looking,
  behind?: SearchHit,
): Promise<WordHits> {
  const terms = query.tokens.map((token, i) => ({ token, weight: query.weights[i] ?? 1 }));
  const hits =
    terms.length === 0
      ? await use.search.browse(scope, workspace, filter, WINDOW + 1, behind)
      : await use.search.search(scope, workspace, terms, filter, WINDOW + 1, behind);
  return { hits: hits.slice(0, WINDOW), isMore: hits.length > WINDOW };
}

/** More pages of one name wait for their turn. */
const MOST_CALLED_SO = 20;

/** Pages called exactly what was asked for, if there were too many candidates for them to be among. */
async function calledSo(
  { use, scope, workspace, query, filter }: Looking,
  { hits, isMore }: WordHits,
): Promise<readonly SearchHit[]> {
  if (!isMore) return [];
  const known = new Set(hits.map((hit) => hit.page));
  const named = await use.pages.named(scope, workspace, [nameKey(query.text)]);
  const titled = named.filter(({ page, kind }) => kind === 'title' && !known.has(page.id));
  const admitted = await use.search.admit(
    scope,
    workspace,
    filter,
    titled.slice(0, MOST_CALLED_SO).map(({ page }) => page.id),
  );
  return admitted.map((hit) => ({ ...hit, score: hits.at(-1)?.score ?? 0 }));
}

/** Only when there is next to nothing without it. */
const FEW = 3;

async function tryAgain(look: Looking, found: readonly SearchHit[]): Promise<SecondTry | undefined> {
  const { use, scope, workspace, query, filter } = look;
  if (found.length >= FEW || query.tokens.length === 0) return undefined;
  return tryMisspelled(use, scope, workspace, query, filter, WINDOW);
}

/** No page has a word as it was written, so what it was read as stands in for it. */
const readAs = (secondTry: SecondTry, near: readonly SemanticHit[] = []): FusedHit[] =>
  fuse(secondTry.hits, near).map((hit) => (hit.byWords ? { ...hit, byWords: false, misspelled: true } : hit));

function onlyThere(secondTry: SecondTry | undefined, known: readonly FusedHit[]): FusedHit[] {
  const pages = new Set(known.map((hit) => hit.page));
  const fresh = (secondTry?.hits ?? []).filter((hit) => !pages.has(hit.page));
  return fresh.map((hit) => ({ ...hit, byWords: false, misspelled: true }));
}

const toFused = (hits: readonly SearchHit[]): FusedHit[] => hits.map((hit) => ({ ...hit, byWords: true }));

const hasFilter = (filter: SearchFilter): boolean =>
  filter.tags.length > 0 ||
  filter.properties.length > 0 ||
  [filter.under, filter.origin, filter.lifecycle, filter.updatedSince].some((value) => value !== undefined);
