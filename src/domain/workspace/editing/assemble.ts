/**
 * Puts a text together from what stays and what edits bring. Blocks that no edit names come out byte for byte, and as
 * the same blocks: new text that would swallow or change a neighbour is refused.
 */
import { invalidInput } from '../../../kernel/errors.ts';
import { type BlockSlice, splitBlocks } from '../markdown/split-blocks.ts';
import { gapStart } from '../merge-blocks.ts';
import type { PlannedSplice, SettledPlan } from './edit-plan.ts';

export function assemble(plan: SettledPlan): string {
  const pieces = piecesOf(plan);
  // What is replaced inside of blocks may change what they are: that is asked for. Blocks that come or go may not.
  if (plan.removed.size + plan.replaced.size + plan.inserted.size > 0) checkBlocks(plan, pieces);
  return join(plan, pieces, plan.splices).text;
}

/** A stretch of blocks that stay beside each other, or new text. */
interface Piece {
  readonly text: string;
  /** The blank lines that stood behind it. */
  readonly gap: string;
  readonly first: string;
  readonly last: string;
  /** Blocks that stay; of new text, the place it takes. */
  readonly from: number;
  readonly to: number;
  /** The edit that brings it. */
  readonly edit?: number;
}

function piecesOf({ layout, removed, replaced, inserted }: SettledPlan): readonly Piece[] {
  const { blocks, text } = layout;
  const pieces: Piece[] = [];
  let open: { from: number; to: number } | undefined;
  const close = (): void => {
    if (!open) return;
    const [first, last] = [blocks[open.from], blocks[open.to - 1]];
    if (first && last)
      pieces.push({
        text: text.slice(first.start, last.textEnd),
        gap: text.slice(last.textEnd, last.end),
        first: first.kind,
        last: last.kind,
        ...open,
      });
    open = undefined;
  };
  for (let i = 0; i <= blocks.length; i += 1) {
    const come = inserted.get(i) ?? [];
    const block = blocks[i];
    const swap = replaced.get(i);
    if (come.length > 0 || swap || removed.has(i)) close();
    for (const { text: brought, edit } of come)
      pieces.push({ ...newPiece(brought), gap: '', from: i, to: i, edit });
    if (!block || removed.has(i) || (isBlank(block) && inserted.size > 0)) continue;
    if (swap) {
      const gap = text.slice(block.textEnd, block.end);
      pieces.push({ ...newPiece(swap.text), gap, from: i, to: i + 1, edit: swap.edit });
    } else if (open) open.to = i + 1;
    else open = { from: i, to: i + 1 };
  }
  close();
  return pieces;
}

/** A page of blank lines alone has such a block; new text takes its place. */
const isBlank = ({ start, textEnd }: { readonly start: number; readonly textEnd: number }): boolean =>
  start === textEnd;

function newPiece(text: string): Pick<Piece, 'text' | 'first' | 'last'> {
  const blocks = splitBlocks(text);
  return { text, first: blocks[0]?.kind ?? 'paragraph', last: blocks.at(-1)?.kind ?? 'paragraph' };
}

function join(
  { layout }: SettledPlan,
  pieces: readonly Piece[],
  splices: readonly PlannedSplice[],
): { readonly text: string; readonly starts: readonly number[] } {
  const { blocks, text, newline } = layout;
  const end = blocks.at(-1);
  const starts: number[] = [];
  let [result, at, around] = ['', 0, ''];
  for (const [i, piece] of pieces.entries()) {
    starts.push(result.length);
    const next = pieces[i + 1];
    const gap = next ? gapBetween(piece, next, blocks, around, newline) : text.slice(end?.textEnd, end?.end);
    around = gap;
    const start = blocks[piece.from]?.start ?? 0;
    const stays = piece.edit === undefined;
    const own: PlannedSplice[] = [];
    const limit = blocks[piece.to - 1]?.end ?? 0;
    for (; stays && (splices[at]?.start ?? Number.POSITIVE_INFINITY) < limit; at += 1) {
      const splice = splices[at];
      if (splice) own.push(splice);
    }
    result += applySplices(piece.text + gap, start, own);
  }
  return { text: result, starts };
}

function applySplices(text: string, offset: number, splices: readonly PlannedSplice[]): string {
  let [result, at] = ['', 0];
  for (const { start, end, text: brought } of splices) {
    result += text.slice(at, start - offset) + brought;
    at = end - offset;
  }
  return result + text.slice(at);
}

/** What stood between two blocks stays; anything new is kept apart by a blank line, or like its neighbours in a list. */
function gapBetween(
  piece: Piece,
  next: Piece,
  blocks: SettledPlan['layout']['blocks'],
  around: string,
  newline: string,
): string {
  const stoodSo =
    piece.to === next.from &&
    piece.to > piece.from &&
    next.to > next.from &&
    blocks[piece.to - 1]?.kind === piece.last &&
    blocks[next.from]?.kind === next.first;
  if (stoodSo) return piece.gap;
  if (piece.last === 'list_item' && next.first === 'list_item')
    return piece.edit === undefined ? listGap(piece, blocks, newline) : around || newline;
  if (lineBreaks(piece.gap) > 1) return piece.gap;
  return lineBreaks(piece.gap) === 0 ? newline + newline : piece.gap + newline;
}

/** As the items of that list stand apart; what follows its last item is no measure. */
function listGap({ gap, to }: Piece, blocks: SettledPlan['layout']['blocks'], newline: string): string {
  const isItem = (i: number): boolean => blocks[i]?.kind === 'list_item';
  if (isItem(to)) return gap;
  const [above, last] = [blocks[to - 2], blocks[to - 1]];
  const loose = isItem(to - 2) && above && last && above.end - above.textEnd > newline.length;
  return loose ? newline + newline : newline;
}

const lineBreaks = (gap: string): number => gap.match(/\r\n|\n|\r/g)?.length ?? 0;

/** Every block that stays must be found again where it was put, and new text must begin where it was put. */
function checkBlocks(plan: SettledPlan, pieces: readonly Piece[]): void {
  const { layout } = plan;
  const { text, starts } = join(plan, pieces, []);
  const found = new Map(splitBlocks(text).map((block) => [block.start, block]));
  let blamed: number | undefined;
  for (const [i, piece] of pieces.entries()) {
    const at = starts[i] ?? 0;
    if (piece.edit !== undefined) {
      if (!isFound(piece.text, at, text, found))
        throw swallowed(piece.edit, 'would become something else between its neighbours');
      blamed = piece.edit;
      continue;
    }
    const offset = at - (layout.blocks[piece.from]?.start ?? 0);
    for (const block of layout.blocks.slice(piece.from, piece.to)) {
      const same = found.get(block.start + offset);
      const end = same && gapStart(text, same.start, same.end);
      if (same?.kind === block.kind && end === block.textEnd + offset) continue;
      throw swallowed(blamed ?? editBeside(plan, pieces), 'would change a block that it does not name');
    }
  }
}

/** New text must be what it is by itself; frontmatter only where frontmatter can be. */
function isFound(brought: string, at: number, text: string, found: ReadonlyMap<number, BlockSlice>): boolean {
  const before = at === 0 ? '' : 'x\n\n';
  const whole = before + brought;
  return splitBlocks(whole)
    .slice(at === 0 ? 0 : 1)
    .every(({ kind, start, end }) => {
      const same = found.get(at + start - before.length);
      const textEnd = gapStart(whole, start, end) - before.length;
      return same?.kind === kind && gapStart(text, same.start, same.end) === at + textEnd;
    });
}

/** A removal leaves no piece of its own to blame. */
function editBeside({ removed }: SettledPlan, pieces: readonly Piece[]): number {
  return [...removed.values()][0] ?? pieces.find(({ edit }) => edit !== undefined)?.edit ?? 0;
}

const swallowed = (edit: number, why: string) =>
  invalidInput(`edits.${edit}`, `${why}; close its code fences and comments, or say it otherwise`, {
    reason: 'structure',
  });
