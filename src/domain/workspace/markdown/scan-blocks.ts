/**
 * Reads the block structure of a page in one linear pass: containers (quotes, list items), the leaves in them and the
 * top-level blocks. It follows CommonMark 0.31 with GFM tables, frontmatter, `$$` formulas and `%%` comments.
 *
 * Differences from CommonMark, all on purpose (those inside prose are listed in `scan-inline.ts`):
 * - a `$$` formula or `%%` comment that begins a line and is closed later is a block, whatever its lines look like;
 * - `[^1]: …` is prose (a footnote), and so is a definition whose bare destination begins with `[[`;
 * - a line that only holds a block id (`^id`) ends a table instead of being its last row.
 */

import type { BlockKind, BlockScan } from './block-scan.ts';
import {
  atxContent,
  atxLevel,
  isAnchorLine,
  listMarker,
  openingFence,
  setextLevel,
  thematicBreakReach,
} from './block-syntax.ts';
import { DOLLAR, GREATER, HASH, LESS, PERCENT, skipSpacesAndTabs } from './char-codes.ts';
import { ContainerStack } from './container-stack.ts';
import { DelimitedBlocks } from './delimited-block.ts';
import { frontmatterEnd } from './frontmatter.ts';
import { htmlBlockAt } from './html-syntax.ts';
import { LeafCollector } from './leaf-collector.ts';
import { LineCursor } from './line-cursor.ts';
import type { OpenFence, OpenHtml, OpenLeaf, OpenParagraph, VerbatimLeaf } from './open-leaf.ts';
import { continueHtml, continueLeaf } from './open-leaf.ts';
import { rowCells } from './table-rows.ts';

export function scanBlocks(text: string): BlockScan {
  return new BlockScanner(text).run();
}

/** Characters that can begin a block other than a paragraph; all others skip the search for one. */
const opensBlock = new Uint8Array(128);
for (const mark of '#`~*+-_=<>$%0123456789') opensBlock[mark.charCodeAt(0)] = 1;

class BlockScanner {
  readonly #cursor: LineCursor;
  readonly #containers = new ContainerStack();
  readonly #collector: LeafCollector;
  readonly #delimited: DelimitedBlocks;
  #leaf: OpenLeaf | undefined;
  /** Containers that the line continues; fewer than are open when a paragraph may go on lazily. */
  #matched = 0;
  /** No thematic break of this line begins before this offset. */
  #noBreakBefore = 0;

  constructor(text: string) {
    this.#cursor = new LineCursor(text);
    this.#collector = new LeafCollector(text);
    this.#delimited = new DelimitedBlocks(text);
  }

  run(): BlockScan {
    const cursor = this.#cursor;
    const end = frontmatterEnd(cursor.text);
    if (end > 0) {
      this.#collector.addBlock('frontmatter', 0);
      this.#collector.addLeaf({ kind: 'frontmatter', lines: [0, end], isText: false });
      cursor.nextStart = end;
    }
    while (cursor.nextLine()) this.#readLine();
    const unclosed = this.#leaf?.kind === 'fence' ? this.#leaf.start : undefined;
    this.#closeLeaf();
    return this.#collector.result(unclosed);
  }

  #readLine(): void {
    const cursor = this.#cursor;
    this.#matched = this.#containers.match(cursor);
    // Only a paragraph can take a line that its containers do not.
    if (this.#leaf?.kind !== 'paragraph') this.#closeUnmatched();
    const leaf = this.#leaf;
    if (leaf && leaf.kind !== 'paragraph' && leaf.kind !== 'table' && this.#continueVerbatim(leaf)) return;
    this.#noBreakBefore = 0;
    while (!cursor.isBlank) {
      const opened = this.#openBlock();
      if (opened === 'leaf') return;
      if (opened === 'nothing') {
        this.#addText();
        return;
      }
    }
    this.#closeUnmatched();
    this.#closeLeaf();
  }

  /** True when the line belonged to the leaf. */
  #continueVerbatim(leaf: VerbatimLeaf): boolean {
    const { outcome, rest } = continueLeaf(leaf, this.#cursor);
    if (outcome === 'takes') return true;
    this.#closeLeaf();
    if (outcome === 'refused') return false;
    if (rest !== undefined) this.#addRest(rest);
    return true;
  }

  /** Prose that stands after the mark that closed a formula or comment, on the same line. */
  #addRest(from: number): void {
    const { text, lineEnd } = this.#cursor;
    if (skipSpacesAndTabs(text, from, lineEnd) === lineEnd) return;
    this.#collector.addLeaf({ kind: 'paragraph', lines: [from, lineEnd], isText: true });
  }

  /** Opens the container or leaf that begins at the content of the line, if one does. */
  #openBlock(): 'container' | 'leaf' | 'nothing' {
    const cursor = this.#cursor;
    const { text, contentStart: at, lineEnd: end } = cursor;
    if (cursor.indent > 3) {
      if (this.#leaf?.kind === 'paragraph') return 'nothing';
      this.#open({ kind: 'indented', lines: [at, end] }, 'code');
      return 'leaf';
    }
    const code = text.charCodeAt(at);
    if (code > 127 || opensBlock[code] === 0) return 'nothing';
    if (code === GREATER) {
      this.#beginContainer('quote');
      this.#containers.openQuote(cursor);
      return 'container';
    }
    if (code === HASH) return this.#openAtx(at, end);
    const fence = openingFence(text, at, end);
    if (fence > 0) {
      const leaf: OpenFence = { kind: 'fence', lines: [at, end], start: at, code, length: fence };
      this.#open(leaf, 'code');
      return 'leaf';
    }
    const above = this.#paragraphAbove();
    if (code === LESS) return this.#openHtml(at, end);
    if (code === DOLLAR || code === PERCENT) return this.#openDelimited(at, end, above);
    if (above && this.#underline(above, at, end)) return 'leaf';
    if (at >= this.#noBreakBefore) {
      const reach = thematicBreakReach(text, at, end);
      if (reach === end) {
        this.#beginLeaf('rule');
        return 'leaf';
      }
      this.#noBreakBefore = reach;
    }
    const marker = listMarker(text, at, end, this.#paragraphAbove() !== undefined);
    if (marker === 0) return 'nothing';
    this.#beginContainer('list_item');
    this.#containers.openItem(cursor, marker);
    return 'container';
  }

  #openAtx(at: number, end: number): 'leaf' | 'nothing' {
    const { text } = this.#cursor;
    const level = atxLevel(text, at, end);
    if (level === 0) return 'nothing';
    this.#beginLeaf('heading', level);
    const content = atxContent(text, at, end);
    if (content.end > content.start) {
      this.#collector.addLeaf({ kind: 'heading', lines: [content.start, content.end], isText: true });
    }
    return 'leaf';
  }

  #openHtml(at: number, end: number): 'leaf' | 'nothing' {
    // A line that might go on with a paragraph lazily counts as interrupting it.
    const html = htmlBlockAt(this.#cursor.text, at, end, this.#leaf?.kind === 'paragraph');
    if (!html) return 'nothing';
    const leaf: OpenHtml = { kind: 'html', lines: [], html };
    this.#open(leaf, 'html');
    if (continueHtml(leaf, this.#cursor, at).outcome === 'closes') this.#closeLeaf();
    return 'leaf';
  }

  #openDelimited(at: number, end: number, above: OpenParagraph | undefined): 'leaf' | 'nothing' {
    const { text } = this.#cursor;
    const mark = text.startsWith('$$', at) ? '$$' : '%%';
    if (!text.startsWith(mark, at)) return 'nothing';
    const start = this.#delimited.startAt(mark, at, end, above?.lines ?? []);
    if (!start) return 'nothing';
    this.#open({ kind: 'delimited', lines: [at, end], mark }, mark === '$$' ? 'math' : 'html');
    if (start === 'one-line') this.#closeLeaf();
    return 'leaf';
  }

  /** Makes the paragraph above a heading when the line underlines it. */
  #underline(above: OpenParagraph, at: number, end: number): boolean {
    const level = setextLevel(this.#cursor.text, at, end);
    if (level === 0) return false;
    const isTop = this.#containers.depth === 0;
    const rest = this.#collector.takeDefinitions(above, isTop);
    this.#leaf = undefined;
    // Under definitions alone there is nothing to underline, and the line is what it would be after a blank one.
    if (rest.lines.length === 0) return false;
    if (isTop) this.#collector.addBlock('heading', rest.lineStarts[0] ?? 0, level);
    this.#collector.addLeaf({ kind: 'heading', lines: rest.lines, isText: true });
    return true;
  }

  /** Adds the line as prose: to the paragraph or table that is open, or as a new paragraph. */
  #addText(): void {
    const { text, offset, contentStart, lineStart, lineEnd } = this.#cursor;
    const isTop = this.#containers.depth === 0;
    const above = this.#paragraphAbove();
    if (above) {
      const table = this.#collector.tableUnder(above, contentStart, lineEnd, isTop);
      if (table) {
        this.#leaf = table;
        return;
      }
    }
    if (this.#leaf?.kind === 'paragraph') {
      this.#leaf.lines.push(offset, lineEnd);
      this.#leaf.lineStarts.push(lineStart);
      return;
    }
    if (this.#leaf?.kind === 'table' && !isAnchorLine(text, contentStart)) {
      for (const edge of rowCells(text, contentStart, lineEnd)) this.#leaf.lines.push(edge);
      return;
    }
    this.#closeLeaf();
    this.#containers.touch();
    this.#leaf = { kind: 'paragraph', lines: [offset, lineEnd], lineStarts: [lineStart] };
  }

  /** The open paragraph, if the line stands in all of its containers. */
  #paragraphAbove(): OpenParagraph | undefined {
    const leaf = this.#leaf;
    return leaf?.kind === 'paragraph' && this.#matched === this.#containers.depth ? leaf : undefined;
  }

  #beginContainer(kind: BlockKind): void {
    this.#closeUnmatched();
    this.#closeLeaf();
    if (this.#containers.depth === 0) this.#collector.addBlock(kind, this.#cursor.lineStart);
    this.#matched = this.#containers.depth + 1;
  }

  #beginLeaf(kind: BlockKind, level?: number): void {
    this.#closeUnmatched();
    this.#closeLeaf();
    this.#containers.touch();
    if (this.#containers.depth === 0) this.#collector.addBlock(kind, this.#cursor.lineStart, level);
  }

  #open(leaf: OpenLeaf, kind: BlockKind): void {
    this.#beginLeaf(kind);
    this.#leaf = leaf;
  }

  #closeUnmatched(): void {
    if (this.#matched === this.#containers.depth) return;
    this.#closeLeaf();
    this.#containers.closeTo(this.#matched);
  }

  #closeLeaf(): void {
    const leaf = this.#leaf;
    if (!leaf) return;
    this.#leaf = undefined;
    this.#collector.close(leaf, this.#containers.depth === 0);
  }
}
