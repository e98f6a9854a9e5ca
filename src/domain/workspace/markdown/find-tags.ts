/**
 * Finds the `#tags` in the prose of a page, where a tag follows white space or begins a line. Tags that the frontmatter
 * lists are properties and not found here.
 */

import type { BlockScan } from './block-scan.ts';
import { InertRanges } from './inert-ranges.ts';
import { scanBlocks } from './scan-blocks.ts';
import { TextUnits } from './text-units.ts';

export interface FoundTag {
  /** Without its `#`, as written. */
  readonly tag: string;
  readonly start: number;
  readonly end: number;
}

const tagAt =
  /#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{Join_Control}_/-]+)/uy;

export function findTags(text: string, scan: BlockScan = scanBlocks(text)): readonly FoundTag[] {
  const tags: FoundTag[] = [];
  const units = new TextUnits(text, '#');
  for (const leaf of scan.leaves) {
    for (const unit of units.of(leaf)) {
      const { source } = unit;
      let inert: InertRanges | undefined;
      for (let at = source.indexOf('#'); at >= 0; at = source.indexOf('#', at + 1)) {
        const tag = readTag(source, at);
        if (tag === undefined) continue;
        inert ??= new InertRanges(source, leaf.kind === 'html');
        if (inert.has(at)) continue;
        const start = unit.toText(at);
        tags.push({ tag, start, end: start + 1 + tag.length });
      }
    }
  }
  return tags;
}

/** The tag whose `#` stands at `at`. A slash at the end belongs to the sentence; digits alone are a number. */
function readTag(source: string, at: number): string | undefined {
  if (at > 0 && !/\s/.test(source.charAt(at - 1))) return undefined;
  tagAt.lastIndex = at;
  const written = tagAt.exec(source)?.[1];
  if (written === undefined) return undefined;
  const tag = written.replace(/(?<!\/)\/+$/, '');
  return /[^\p{Nd}]/u.test(tag) ? tag : undefined;
}
