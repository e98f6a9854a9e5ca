/**
 * Cuts a page into its top-level blocks, as exact slices of the source: joined they are the page again. Blank lines
 * belong to the block before them. A `%%` comment counts as `html`; a page of blank lines only is one paragraph.
 */

import type { BlockKind, BlockScan, TopBlock } from './block-scan.ts';
import { isAnchorLine } from './block-syntax.ts';
import { scanBlocks } from './scan-blocks.ts';

export interface BlockSlice {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  /** Of a heading, 1 to 6. */
  readonly level?: number;
}

/** Blocks that cannot hold a block id in themselves, so that it stands on a line of its own after them. */
const takesAnchor: ReadonlySet<BlockKind> = new Set(['list_item', 'quote', 'code', 'table', 'html', 'math']);

export function splitBlocks(text: string, scan: BlockScan = scanBlocks(text)): readonly BlockSlice[] {
  const { blocks } = scan;
  const slices: BlockSlice[] = [];
  let open: TopBlock | undefined;
  let start = 0;
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (!block || (open && isAnchorOf(text, open, block, blocks[i + 1]?.start ?? text.length))) continue;
    if (open) {
      slices.push(slice(open, start, block.start));
      start = block.start;
    }
    open = block;
  }
  if (text !== '') slices.push(slice(open ?? { kind: 'paragraph', start: 0 }, start, text.length));
  return slices;
}

function slice({ kind, level }: TopBlock, start: number, end: number): BlockSlice {
  return level === undefined ? { kind, start, end } : { kind, start, end, level };
}

/** True when `block`, which ends at `end`, is no more than the id of the block before it. */
function isAnchorOf(text: string, before: TopBlock, block: TopBlock, end: number): boolean {
  if (block.kind !== 'paragraph' || !takesAnchor.has(before.kind) || !isAnchorLine(text, block.start))
    return false;
  return !/\s/.test(text.slice(block.start, end).trim());
}
