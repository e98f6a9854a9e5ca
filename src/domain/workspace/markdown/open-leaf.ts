/** The leaf that is still being read, and how each kind that takes lines verbatim goes on or ends. */

import { isClosingFence } from './block-syntax.ts';
import type { DelimitedMark } from './delimited-block.ts';
import { markOnLine } from './delimited-block.ts';
import type { HtmlBlock } from './html-syntax.ts';
import type { LineCursor } from './line-cursor.ts';

export interface OpenParagraph {
  readonly kind: 'paragraph';
  readonly lines: number[];
  /** Where in the text the line of each pair of `lines` begins, with its containers. */
  readonly lineStarts: number[];
}

export interface OpenTable {
  readonly kind: 'table';
  readonly lines: number[];
}

export interface OpenFence {
  readonly kind: 'fence';
  readonly lines: number[];
  readonly start: number;
  readonly code: number;
  readonly length: number;
}

interface OpenIndented {
  readonly kind: 'indented';
  readonly lines: number[];
}

export interface OpenHtml {
  readonly kind: 'html';
  readonly lines: number[];
  readonly html: HtmlBlock;
}

interface OpenDelimited {
  readonly kind: 'delimited';
  readonly lines: number[];
  readonly mark: DelimitedMark;
}

export type VerbatimLeaf = OpenFence | OpenIndented | OpenHtml | OpenDelimited;

export type OpenLeaf = OpenParagraph | OpenTable | VerbatimLeaf;

/**
 * What a line does to a verbatim leaf: `takes` it and stays open, `closes` it with its last line, or is `refused` by
 * a leaf that has already ended. `rest` is where prose goes on after the mark that closed it.
 */
interface Continuation {
  readonly outcome: 'takes' | 'closes' | 'refused';
  readonly rest?: number;
}

const takes: Continuation = { outcome: 'takes' };
const closes: Continuation = { outcome: 'closes' };
const refused: Continuation = { outcome: 'refused' };

export function continueLeaf(leaf: VerbatimLeaf, cursor: LineCursor): Continuation {
  const { text, contentStart, lineEnd } = cursor;
  switch (leaf.kind) {
    case 'fence':
      leaf.lines.push(cursor.offset, lineEnd);
      if (cursor.indent > 3 || text.charCodeAt(contentStart) !== leaf.code) return takes;
      return isClosingFence(text, contentStart, lineEnd, leaf.code, leaf.length) ? closes : takes;
    case 'indented':
      if (cursor.isBlank) return takes;
      if (cursor.indent < 4) return refused;
      leaf.lines.push(contentStart, lineEnd);
      return takes;
    case 'html':
      return continueHtml(leaf, cursor, cursor.offset);
    case 'delimited':
      return continueDelimited(leaf, cursor);
  }
}

/** Adds the line from `from` on; also used for the first line of the block, which may end it. */
export function continueHtml(leaf: OpenHtml, cursor: LineCursor, from: number): Continuation {
  const { endsAt } = leaf.html;
  if (endsAt === 'blank') {
    if (cursor.isBlank) return refused;
    leaf.lines.push(from, cursor.lineEnd);
    return takes;
  }
  leaf.lines.push(from, cursor.lineEnd);
  return endsAt.test(cursor.text.slice(from, cursor.lineEnd)) ? closes : takes;
}

function continueDelimited(leaf: OpenDelimited, cursor: LineCursor): Continuation {
  const close = markOnLine(cursor.text, leaf.mark, cursor.offset, cursor.lineEnd);
  if (close < 0) {
    leaf.lines.push(cursor.offset, cursor.lineEnd);
    return takes;
  }
  leaf.lines.push(cursor.offset, close + 2);
  return { outcome: 'closes', rest: close + 2 };
}
