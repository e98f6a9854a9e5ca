/** The ports to search: an index over our own tokens, and one by meaning that a build may or may not have. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { PropertyCondition } from '../search/property-condition.ts';
import type { IndexingStep } from './indexing.ts';

export interface PageTokens {
  readonly title: readonly string[];
  readonly headings: readonly string[];
  readonly body: readonly string[];
}

/** Applied before ranking and counting. */
export interface SearchFilter {
  readonly tags: readonly string[];
  /** Pages with one of these are left out. */
  readonly withoutTags?: readonly string[] | undefined;
  readonly properties: readonly PropertyCondition[];
  /** Each of the pages and everything below it; of none, nothing. */
  readonly under?: readonly PageId[] | undefined;
  readonly origin?: string | undefined;
  readonly lifecycle?: string | undefined;
  readonly updatedSince?: number | undefined;
}

/** A token to look for and how much it counts. */
export interface SearchTerm {
  readonly token: string;
  /** A small whole number: how often the query says it. */
  readonly weight: number;
}

export interface SearchHit {
  readonly page: PageId;
  /** Larger is better. */
  readonly score: number;
  readonly updatedAt: number;
}

/** How much a match in each part weighs; the same on every store. */
export const FIELD_WEIGHTS = { title: 4, headings: 2, body: 1 } as const;

export interface SearchIndex {
  put(tx: WriteTx, page: PageId, tokens: PageTokens): Promise<void>;
  /** Several pages at once. */
  putAll(tx: WriteTx, pages: ReadonlyMap<PageId, PageTokens>): Promise<void>;
  remove(tx: WriteTx, page: PageId): Promise<void>;
  /** Live pages that were indexed by other rules than today's, in no order. */
  outdated(scope: ReadScope, workspace: WorkspaceId, limit: number): Promise<readonly PageId[]>;
  /** Makes all pages count as indexed by other rules; they are found as before. */
  outdate(tx: WriteTx, workspace: WorkspaceId): Promise<void>;
  /** Live pages, and how many of them are indexed by today's rules. */
  counts(scope: ReadScope, workspace: WorkspaceId): Promise<IndexingStep>;
  /** Pages with any of the terms, best first by BM25, then newest, then by id; `behind` one, wherever it stands now. */
  search(
    scope: ReadScope,
    workspace: WorkspaceId,
    terms: readonly SearchTerm[],
    filter: SearchFilter,
    limit: number,
    behind?: SearchHit,
  ): Promise<readonly SearchHit[]>;
  /** For a query of filters alone: newest first. */
  browse(
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: SearchFilter,
    limit: number,
    behind?: SearchHit,
  ): Promise<readonly SearchHit[]>;
  /** Tokens of any page, in any workspace, that begin so and have so many letters; in order, a bounded number. */
  tokens(scope: ReadScope, prefix: string, shortest: number, longest: number): Promise<readonly string[]>;
  /** Those of the pages that are live and pass the filter, in no order. */
  admit(
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: SearchFilter,
    pages: readonly PageId[],
  ): Promise<readonly SearchHit[]>;
}

export interface SemanticHit extends SearchHit {
  /** Which passage of the page is nearest. */
  readonly passage: number;
}

export interface SemanticIndex {
  /** Which embedder is active. */
  readonly model: string;
  /** Whether the embedder can make sense of a text. */
  reads(text: string): boolean;
  /** Best first by cosine, then by id; only pages that have been indexed. */
  search(
    scope: ReadScope,
    workspace: WorkspaceId,
    text: string,
    filter: SearchFilter,
    limit: number,
  ): Promise<readonly SemanticHit[]>;
}
