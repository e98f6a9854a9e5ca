/** Finds the block ids (`^id` at the end of a line) that links like `[[Page#^id]]` point at. */

import type { BlockScan } from './block-scan.ts';
import { CR, DASH, isDigit, isLetter, isSpace, isSpaceOrTab, LF } from './char-codes.ts';
import { InertRanges } from './inert-ranges.ts';
import { scanBlocks } from './scan-blocks.ts';
import { TextUnits } from './text-units.ts';

export interface FoundAnchor {
  /** Without its `^`. */
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** Table cells are passed over: the id of a table stands on a line after it. */
export function findAnchors(text: string, scan: BlockScan = scanBlocks(text)): readonly FoundAnchor[] {
  const anchors: FoundAnchor[] = [];
  const units = new TextUnits(text, '^');
  for (const leaf of scan.leaves) {
    if (leaf.kind === 'table') continue;
    for (const unit of units.of(leaf)) {
      const { source } = unit;
      let inert: InertRanges | undefined;
      for (let at = source.indexOf('^'); at >= 0; at = source.indexOf('^', at + 1)) {
        const end = anchorEnd(source, at);
        if (end < 0) continue;
        inert ??= new InertRanges(source, leaf.kind === 'html');
        if (inert.has(at)) continue;
        anchors.push({ id: source.slice(at + 1, end), start: unit.toText(at), end: unit.toText(end) });
      }
    }
  }
  return anchors;
}

/** The end of the block id whose `^` stands at `at`, or -1. */
function anchorEnd(source: string, at: number): number {
  if (at > 0 && !isSpace(source.charCodeAt(at - 1))) return -1;
  let end = at + 1;
  while (isIdCode(source.charCodeAt(end))) end++;
  if (end === at + 1) return -1;
  let rest = end;
  while (isSpaceOrTab(source.charCodeAt(rest))) rest++;
  const code = source.charCodeAt(rest);
  return rest >= source.length || code === LF || code === CR ? end : -1;
}

function isIdCode(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === DASH;
}
