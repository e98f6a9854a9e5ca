/** An edit of a page's text as a caller asks for it. All edits of one call are read against one and the same version. */

export const EDIT_OPS = [
  'replace_text',
  'insert_before',
  'insert_after',
  'append',
  'prepend',
  'replace_section',
  'replace_block',
  'delete_block',
  'move_block',
] as const;
export type EditOp = (typeof EDIT_OPS)[number];

export const MAX_EDITS = 1_000;

/** A heading: `Title`, `Above > Title`, `Title#2`; the object form says the ordinal apart and is never divided otherwise. */
export type SectionReference = string | { readonly heading: string; readonly ordinal?: number | undefined };

export interface Edit {
  readonly op: EditOp;
  /** What to replace, literally. */
  readonly find?: string | undefined;
  /** How often it must be there. */
  readonly count?: number | undefined;
  /** What comes in. */
  readonly text?: string | undefined;
  readonly section?: SectionReference | undefined;
  /** A block's id, or a `^anchor` it holds. */
  readonly block?: string | undefined;
  /** What the block's digest must be. */
  readonly digest?: string | undefined;
  /** Where a block is moved to. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

const ADDING: readonly EditOp[] = ['insert_before', 'insert_after', 'append', 'prepend'];

/** Nothing goes by them, so they need no base: two that were asked for independently can both be done. */
export const onlyAdds = (edits: readonly Edit[]): boolean => edits.every(({ op }) => ADDING.includes(op));
