/** The port to the documents behind pages: text with its whole history. Pure computation, no store. */

/** A document as it is kept: a snapshot and what was changed since. */
export interface StoredDocument {
  readonly snapshot: Uint8Array;
  readonly updates: readonly Uint8Array[];
}

/** Who made a change, kept inside the document's history. */
export interface ChangeNote {
  readonly by: string;
  readonly call: string;
  readonly at: number;
}

export interface TextSplice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface TextDocuments {
  create(text: string, note: ChangeNote): { readonly snapshot: Uint8Array; readonly version: string };
  /** Makes the text become the given one, keeping as much of its history as can be told in reasonable time. */
  rewrite(stored: StoredDocument, text: string, note: ChangeNote): DocumentChange;
  /** Applies splices given in order against the current text. */
  splice(stored: StoredDocument, splices: readonly TextSplice[], note: ChangeNote): DocumentChange;
  /** Undefined when the document never had that version. */
  textAt(stored: StoredDocument, version: string): string | undefined;
  /** One snapshot instead of a snapshot and its updates. */
  compact(stored: StoredDocument): Uint8Array;
}

export interface DocumentChange {
  readonly update: Uint8Array;
  readonly version: string;
}
