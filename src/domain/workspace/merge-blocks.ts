/**
 * Merges a rewrite into a text that moved on meanwhile, block by block: what only one side touched is taken,
 * what both changed alike is taken once, and what both changed differently is a conflict, never a guess.
 */
import { alignToBase, type Side, type TextBlock } from './align-blocks-to-base.ts';
import { splitBlocks } from './markdown/split-blocks.ts';

export interface MergeConflict {
  readonly base: string;
  readonly head: string;
  readonly yours: string;
}

export type Merge =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly conflicts: readonly MergeConflict[] };

/** Settles what both sides changed differently; without one that is a conflict. */
export type Settle = (head: readonly TextBlock[], yours: readonly TextBlock[]) => readonly TextBlock[];

export function mergeBlocks(base: string, head: string, yours: string, settle?: Settle): Merge {
  if (head === base || head === yours) return { ok: true, text: yours };
  if (yours === base) return { ok: true, text: head };
  const [baseBlocks, headBlocks, yourBlocks] = [blocksOf(base), blocksOf(head), blocksOf(yours)];
  const sides = { head: alignToBase(baseBlocks, headBlocks), yours: alignToBase(baseBlocks, yourBlocks) };
  const merged: TextBlock[] = [];
  const conflicts: MergeConflict[] = [];
  const clash: Clash = (before, theirs, ours) => {
    if (settle) merged.push(...settle(theirs, ours));
    else conflicts.push({ base: raw(before), head: raw(theirs), yours: raw(ours) });
  };
  for (let i = 0; i <= baseBlocks.length; i += 1) {
    mergeInsertions(sides.head, sides.yours, i, merged, clash);
    const block = baseBlocks[i];
    if (block) mergeBlock(block, sides.head.blocks[i] ?? null, sides.yours.blocks[i] ?? null, merged, clash);
  }
  if (conflicts.length > 0) return { ok: false, conflicts };
  const end = pickGap(gapAtEnd(baseBlocks), gapAtEnd(headBlocks), gapAtEnd(yourBlocks));
  return { ok: true, text: join(merged, end, base.includes('\r\n') ? '\r\n' : '\n') };
}

type Clash = (base: readonly TextBlock[], head: readonly TextBlock[], yours: readonly TextBlock[]) => void;

function mergeInsertions(head: Side, yours: Side, i: number, merged: TextBlock[], clash: Clash): void {
  const [theirs, ours] = [head.inserted[i] ?? [], yours.inserted[i] ?? []];
  if (ours.length === 0 || sameTexts(theirs, ours)) merged.push(...theirs);
  else if (theirs.length === 0) merged.push(...ours);
  else clash([], theirs, ours);
}

function mergeBlock(
  base: TextBlock,
  head: TextBlock | null,
  yours: TextBlock | null,
  merged: TextBlock[],
  clash: Clash,
): void {
  const headText = head?.text ?? null;
  const yourText = yours?.text ?? null;
  if (headText !== yourText && headText !== base.text && yourText !== base.text) {
    clash([base], head ? [head] : [], yours ? [yours] : []);
    return;
  }
  const taken = headText === base.text ? yours : head;
  if (!taken) return;
  merged.push({ text: taken.text, gap: pickGap(base.gap, head?.gap ?? base.gap, yours?.gap ?? base.gap) });
}

/** Blank lines are not worth a conflict: the side that changed them wins, the longer one if both did. */
function pickGap(base: string, head: string, yours: string): string {
  if (head === base) return yours;
  if (yours === base) return head;
  return yours.length > head.length ? yours : head;
}

const gapAtEnd = (blocks: readonly TextBlock[]): string => blocks.at(-1)?.gap ?? '';

const sameTexts = (a: readonly TextBlock[], b: readonly TextBlock[]): boolean =>
  a.length === b.length && a.every((block, i) => block.text === b[i]?.text);

const raw = (blocks: readonly TextBlock[]): string => blocks.map((block) => block.text + block.gap).join('');

/** A block that used to be the last one gets the blank line that keeps it from running into the next. */
function join(blocks: readonly TextBlock[], end: string, newline: string): string {
  return blocks
    .map(({ text, gap }, i) => {
      if (i === blocks.length - 1) return text + end;
      return text + (/[\r\n]/.test(gap) ? gap : newline + newline);
    })
    .join('');
}

export function blocksOf(text: string): TextBlock[] {
  return splitBlocks(text).map(({ start, end }) => {
    const cut = gapStart(text, start, end);
    return { text: text.slice(start, cut), gap: text.slice(cut, end) };
  });
}

/** Where the block's last line ends and only blank lines follow. */
export function gapStart(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && ' \t\r\n'.includes(text[at - 1] ?? '')) at -= 1;
  while (at < end && !'\r\n'.includes(text[at] ?? '')) at += 1;
  return at;
}
