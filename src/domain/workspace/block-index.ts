/** The block index: which stretch of a page's text is which block. Derived from the text, never the record of it. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { BlockId, IdSource } from '../../kernel/ids.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import { matchSequences } from './match-sequences.ts';

export interface BlockEntry {
  readonly id: BlockId;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Short digest of the block's text. */
  readonly digest: string;
}

type Slice = Omit<BlockEntry, 'id'>;

/**
 * Gives the blocks of a text their ids: unchanged blocks keep theirs, and a changed block that stands alone
 * between unchanged neighbours is still the same block.
 */
export function alignBlocks(
  text: string,
  before: readonly BlockEntry[],
  ids: IdSource,
): readonly BlockEntry[] {
  const slices = slicesOf(text);
  const kept = new Map<number, BlockId>();
  const pairs = matchSequences(
    before.map((block) => block.digest),
    slices.map((slice) => slice.digest),
  );
  let [old, now] = [0, 0];
  for (const [i, j] of [...pairs, [before.length, slices.length] as const]) {
    carryOver(before, slices, old, i, now, j, kept);
    const same = before[i];
    if (same) kept.set(j, same.id);
    [old, now] = [i + 1, j + 1];
  }
  return slices.map((slice, i) => ({ id: kept.get(i) ?? ids.next<BlockId>(), ...slice }));
}

/** Between two unchanged neighbours, changed blocks keep their ids as long as their kinds agree. */
function carryOver(
  before: readonly BlockEntry[],
  slices: readonly Slice[],
  oldFrom: number,
  oldTo: number,
  nowFrom: number,
  nowTo: number,
  kept: Map<number, BlockId>,
): void {
  for (let i = oldFrom, j = nowFrom; i < oldTo && j < nowTo; i += 1, j += 1) {
    const block = before[i];
    if (!block || block.kind !== slices[j]?.kind) return;
    kept.set(j, block.id);
  }
}

function slicesOf(text: string): readonly Slice[] {
  return splitBlocks(text).map(({ kind, start, end }) => ({
    kind,
    start,
    end,
    digest: sha256Hex(text.slice(start, end)).slice(0, 16),
  }));
}
