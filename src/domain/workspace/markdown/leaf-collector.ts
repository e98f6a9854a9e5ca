/** Turns leaves that have ended into the result of the scan, and decides what a paragraph turns out to be. */

import type { BlockKind, BlockScan, Leaf, TopBlock } from './block-scan.ts';
import { LEFT_BRACKET, skipSpacesAndTabs } from './char-codes.ts';
import { InlineUnit } from './inline-unit.ts';
import type { LinkDefinition } from './link-definition.ts';
import { readDefinition } from './link-definition.ts';
import type { OpenLeaf, OpenParagraph, OpenTable } from './open-leaf.ts';
import { delimiterColumns, rowCells } from './table-rows.ts';

export class LeafCollector {
  readonly #text: string;
  readonly #blocks: TopBlock[] = [];
  readonly #leaves: Leaf[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  addBlock(kind: BlockKind, start: number, level?: number): void {
    this.#blocks.push(level === undefined ? { kind, start } : { kind, start, level });
  }

  addLeaf(leaf: Leaf): void {
    this.#leaves.push(leaf);
  }

  /** Adds a leaf that has ended. A paragraph at the top level becomes a block only here, when its kind is known. */
  close(leaf: OpenLeaf, isTop: boolean): void {
    const { lines } = leaf;
    switch (leaf.kind) {
      case 'paragraph': {
        const rest = this.takeDefinitions(leaf, isTop);
        if (rest.lines.length === 0) return;
        if (isTop) this.addBlock('paragraph', rest.lineStarts[0] ?? 0);
        this.addLeaf({ kind: 'paragraph', lines: rest.lines, isText: true });
        return;
      }
      case 'table':
        this.addLeaf({ kind: 'table', lines, isText: true });
        return;
      case 'fence':
      case 'indented':
        this.addLeaf({ kind: 'code', lines, isText: false });
        return;
      case 'html':
        this.addLeaf({ kind: 'html', lines, isText: leaf.html.isText });
        return;
      case 'delimited':
        this.addLeaf({ kind: leaf.mark === '$$' ? 'math' : 'comment', lines, isText: false });
    }
  }

  /** Adds the definitions that open a paragraph and answers what is left of it. */
  takeDefinitions(paragraph: OpenParagraph, isTop: boolean): OpenParagraph {
    const text = this.#text;
    const { lines, lineStarts } = paragraph;
    const [first, firstEnd] = lines;
    if (first === undefined || firstEnd === undefined) return paragraph;
    if (text.charCodeAt(skipSpacesAndTabs(text, first, firstEnd)) !== LEFT_BRACKET) return paragraph;
    const unit = new InlineUnit(text, lines);
    let line = 0;
    let at = 0;
    while (at < unit.source.length) {
      const found = readDefinition(unit.source, at);
      if (!found) break;
      const definition = toPage(found, unit);
      const from = line;
      while (line < lineStarts.length && (lines[line * 2] ?? 0) < definition.end) line++;
      if (isTop) this.addBlock('definition', lineStarts[from] ?? 0);
      this.addLeaf({ kind: 'definition', lines: lines.slice(from * 2, line * 2), isText: false, definition });
      at = found.end + (unit.source.startsWith('\r\n', found.end) ? 2 : 1);
    }
    if (line === 0) return paragraph;
    return { kind: 'paragraph', lines: lines.slice(line * 2), lineStarts: lineStarts.slice(line) };
  }

  /**
   * The table that begins when the line from `start` is the delimiter row under the last line of `paragraph`. What
   * stands above that line stays a paragraph.
   */
  tableUnder(paragraph: OpenParagraph, start: number, end: number, isTop: boolean): OpenTable | undefined {
    const columns = delimiterColumns(this.#text, start, end);
    if (columns === 0) return undefined;
    const [headStart = 0, headEnd = 0] = paragraph.lines.slice(-2);
    const cells = rowCells(this.#text, headStart, headEnd);
    if (cells.length !== columns * 2) return undefined;
    const headLine = paragraph.lineStarts.at(-1) ?? 0;
    paragraph.lines.length -= 2;
    paragraph.lineStarts.length -= 1;
    this.close(paragraph, isTop);
    if (isTop) this.addBlock('table', headLine);
    return { kind: 'table', lines: cells };
  }

  result(unclosedFence: number | undefined): BlockScan {
    const found = { blocks: this.#blocks, leaves: this.#leaves };
    return unclosedFence === undefined ? found : { ...found, unclosedFence: { start: unclosedFence } };
  }
}

function toPage(definition: LinkDefinition, unit: InlineUnit): LinkDefinition {
  const { start, end, next, angle } = definition.destination;
  return {
    start: unit.toText(definition.start),
    end: unit.toText(definition.end),
    destination: { start: unit.toText(start), end: unit.toText(end), next: unit.toText(next), angle },
  };
}
