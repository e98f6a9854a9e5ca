/**
 * Where the blocks of a new text come from: which of the old blocks each one goes on, repeats or holds words of. Errs
 * towards naming too many, because a writer left out would be somebody else's words.
 */
import type { BlockEntry } from '../block-index.ts';

export interface IndexedText {
  readonly text: string;
  readonly blocks: readonly BlockEntry[];
}

/** A block that is not as it was, and the old blocks that something in it may be from. */
export interface Trace {
  readonly block: BlockEntry;
  /** An old block that said exactly this. */
  readonly same?: BlockEntry;
  readonly from: readonly BlockEntry[];
}

export interface Traced {
  readonly changed: readonly Trace[];
  /** Old blocks whose text is there no more. */
  readonly gone: readonly BlockEntry[];
  /** Old blocks whose ids are there no more. */
  readonly dropped: readonly BlockEntry[];
}

export function traceBlocks(before: IndexedText, after: IndexedText): Traced {
  const old = new Map(before.blocks.map((block) => [block.id, block]));
  const was = (block: BlockEntry): string | undefined => {
    const own = old.get(block.id);
    return own && wordingOf(before, own);
  };
  const changed = after.blocks.filter((block) => was(block) !== wordingOf(after, block));
  const kept = new Set(after.blocks.map(({ id }) => id));
  const altered = new Set(changed.map(({ id }) => id));
  const dropped = before.blocks.filter(({ id }) => !kept.has(id));
  const gone = before.blocks.filter(({ id }) => !kept.has(id) || altered.has(id));
  if (changed.length === 0) return { changed: [], gone, dropped };
  const sources = sourcesOf(before, after, changed, gone);
  const byWording = new Map(before.blocks.map((block) => [wordingOf(before, block), block]));
  return {
    gone,
    dropped,
    changed: changed.map((block) => {
      const own = old.get(block.id);
      const from = new Set([...(own ? [own] : []), ...(sources.get(block) ?? [])]);
      const same = byWording.get(wordingOf(after, block));
      return { block, from: [...from], ...(same && { same }) };
    }),
  };
}

/** What a block says; blank lines after it are nobody's. */
export const wordingOf = ({ text }: IndexedText, { start, end }: BlockEntry): string =>
  text.slice(start, end).trimEnd();

/** Above this much changed text everybody whose words went may have some in it. */
const LOOK_CLOSELY_BELOW = 200_000;

function sourcesOf(
  before: IndexedText,
  after: IndexedText,
  changed: readonly BlockEntry[],
  gone: readonly BlockEntry[],
): ReadonlyMap<BlockEntry, ReadonlySet<BlockEntry>> {
  if (changed.reduce((size, { start, end }) => size + end - start, 0) > LOOK_CLOSELY_BELOW)
    return new Map(changed.map((block) => [block, new Set(gone)]));
  const holders = new Map<string, BlockEntry[]>();
  for (const block of changed)
    for (const phrase of phrasesOf(wordingOf(after, block))) {
      const known = holders.get(phrase);
      if (!known) holders.set(phrase, [block]);
      else if (known.at(-1) !== block) known.push(block);
    }
  const sources = new Map(changed.map((block) => [block, new Set<BlockEntry>()]));
  for (const block of before.blocks)
    for (const phrase of phrasesOf(wordingOf(before, block)))
      for (const holder of holders.get(phrase) ?? []) sources.get(holder)?.add(block);
  return sources;
}

/** Scripts that put no spaces between words; each character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu;

/** Words in a row that are taken for somebody's; fewer are anybody's. */
const PHRASE = 3;

function* phrasesOf(text: string): Generator<string> {
  const words = text.match(WORD) ?? [];
  for (let i = 0; i + PHRASE <= words.length; i += 1) yield words.slice(i, i + PHRASE).join(' ');
}
