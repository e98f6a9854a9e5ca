/** A page: an immutable id, a title for people, a slug for addresses, and Markdown kept byte for byte. */
import type { BatchId, PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Zone } from '../../kernel/sight.ts';
import type { Lifecycle, Origin } from '../../kernel/submission.ts';
import type { Dialect } from './markdown/dialect.ts';

export const MAX_CONTENT_BYTES = 2 * 1024 * 1024;
export const MAX_BLOCKS = 20_000;
export const MAX_LINKS = 20_000;
export const MAX_TITLE_LENGTH = 300;
export const MAX_DEPTH = 64;

export type PropertyValue = string | number | boolean | null | readonly (string | number | boolean)[];

/** Everything about a page but its text. */
export interface PageHeader {
  readonly id: PageId;
  readonly workspace: WorkspaceId;
  readonly parent: PageId | null;
  readonly slug: string;
  readonly title: string;
  readonly icon: string | null;
  /** Orders siblings; compares as plain text. */
  readonly position: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  readonly tags: readonly string[];
  readonly origin: Origin;
  readonly lifecycle: Lifecycle;
  /** Of the text; opaque to everybody but the documents port. */
  readonly version: string;
  readonly words: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
  /** The batch it was trashed with; null = live. */
  readonly trashBatch: BatchId | null;
  /** How its links are written; left out = Obsidian's way. */
  readonly dialect?: Dialect;
  /** Where it lies as far as permissions go; left out = outside of every zone. */
  readonly zone?: Zone;
}

export interface Page extends PageHeader {
  readonly content: string;
}

/** A step on the way from the root to a page. */
export interface Ancestor {
  readonly id: PageId;
  readonly slug: string;
  readonly title: string;
}

export const pathOf = (way: readonly Ancestor[]): string => way.map((step) => step.slug).join('/');

export function countWords(text: string): number {
  let words = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)) words += 1;
  return words;
}
