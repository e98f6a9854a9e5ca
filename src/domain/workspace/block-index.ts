/** The block index: which stretch of a page's text is which block. Derived from the text, never the record of it. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { BlockId, IdSource } from '../../kernel/ids.ts';
import { pairSimilar } from './align-blocks-to-base.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import { matchSequences, type Pair } from './match-sequences.ts';

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
 * Gives the blocks of a text their ids: unchanged blocks keep theirs, and so does a changed one that stands alone
 * between unchanged neighbours or is most like a block that stood there. `before` is the index of `oldText`.
 */
export function alignBlocks(
  text: string,
  before: readonly BlockEntry[],
  ids: IdSource,
  oldText = '',
): readonly BlockEntry[] {
  const slices = slicesOf(text);
  const kept = new Map<number, BlockId>();
  const pairs = matchSequences(
    before.map((block) => block.digest),
    slices.map((slice) => slice.digest),
  );
  let [old, now] = [0, 0];
  for (const [i, j] of [...pairs, [before.length, slices.length] as const]) {
    const gone = before.slice(old, i);
    for (const [g, c] of pairChanged(gone, slices.slice(now, j), oldText, text)) {
      const block = gone[g];
      if (block && block.kind === slices[now + c]?.kind) kept.set(now + c, block.id);
    }
    const same = before[i];
    if (same) kept.set(j, same.id);
    [old, now] = [i + 1, j + 1];
  }
  return slices.map((slice, i) => ({ id: kept.get(i) ?? ids.next<BlockId>(), ...slice }));
}

/** Between two unchanged neighbours: one for one, or by what they say. */
function pairChanged(
  gone: readonly Slice[],
  come: readonly Slice[],
  oldText: string,
  text: string,
): readonly Pair[] {
  if (gone.length === 0 || come.length === 0) return [];
  if (gone.length === 1 && come.length === 1) return [[0, 0]];
  return pairSimilar(
    gone.map(({ start, end }) => oldText.slice(start, end)),
    come.map(({ start, end }) => text.slice(start, end)),
  );
}

function slicesOf(text: string): readonly Slice[] {
  return splitBlocks(text).map(({ kind, start, end }) => ({
    kind,
    start,
    end,
    digest: sha256Hex(text.slice(start, end)).slice(0, 16),
  }));
}
