/** What one pass over the block structure of a page finds: the top-level blocks and the leaves, in order. */

import type { LinkDefinition } from './link-definition.ts';

export type BlockKind =
  | 'frontmatter'
  | 'heading'
  | 'paragraph'
  | 'list_item'
  | 'quote'
  | 'code'
  | 'table'
  | 'html'
  | 'math'
  | 'rule'
  | 'definition';

/** A block that hangs on no container; it reaches to the start of the next one. */
export interface TopBlock {
  readonly kind: BlockKind;
  readonly start: number;
  readonly level?: number;
}

type LeafKind =
  | 'frontmatter'
  | 'heading'
  | 'paragraph'
  | 'table'
  | 'code'
  | 'html'
  | 'math'
  | 'comment'
  | 'definition';

/**
 * A leaf at any depth. `lines` holds pairs of offsets: the start and end of what each line contributes, without the
 * marks of its containers; in a table each pair is a cell. Only leaves with `isText` hold prose.
 */
export interface Leaf {
  readonly kind: LeafKind;
  readonly lines: readonly number[];
  readonly isText: boolean;
  readonly definition?: LinkDefinition;
}

export interface BlockScan {
  readonly blocks: readonly TopBlock[];
  readonly leaves: readonly Leaf[];
  /** A code fence that nothing closes before the end of the text; `start` is its first fence character. */
  readonly unclosedFence?: { readonly start: number };
}
