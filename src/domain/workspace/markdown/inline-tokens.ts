/** What the inline scanner finds in a stretch of prose, with offsets into that prose. */

import type { Destination } from './link-destination.ts';

/** A range without prose; `html` is a tag or an autolink. */
export interface InertToken {
  readonly kind: 'code' | 'math' | 'comment' | 'html';
  readonly start: number;
  readonly end: number;
}

/** A wiki link; `innerStart` and `innerEnd` bound what stands between the brackets. */
export interface WikiToken {
  readonly kind: 'wiki';
  readonly start: number;
  readonly end: number;
  readonly embed: boolean;
  readonly innerStart: number;
  readonly innerEnd: number;
}

export interface MarkdownLinkToken {
  readonly kind: 'link';
  readonly start: number;
  readonly end: number;
  readonly embed: boolean;
  readonly textStart: number;
  readonly textEnd: number;
  readonly destination: Destination;
}

export type InlineToken = InertToken | WikiToken | MarkdownLinkToken;
