/**
 * Cuts a page into passages, each with the text that is embedded for it: a few paragraphs of one section, led by
 * the page's title and the section's headings, so that a passage means by itself what it means in its place.
 */
import { outline } from '../markdown/outline.ts';
import { type BlockSlice, splitBlocks } from '../markdown/split-blocks.ts';
import type { PassagePlace } from '../ports/vector-store.ts';
import { plainText } from '../search/plain-text.ts';
import { estimateTokens } from '../token-budget.ts';

export interface Passage extends PassagePlace {
  readonly text: string;
}

/** The model reads 256 tokens; title and headings need some of them. */
const MOST_TOKENS = 180;
/** A section shorter than this goes together with the next one. */
const FEWEST_TOKENS = 40;
/** Of a longer page the beginning is found by meaning, and all of it by words. */
const MOST_PASSAGES = 128;
const MOST_CHARACTERS = 128 * 1024;
const MOST_HEADING_CHARACTERS = 160;

export function passagesOf(page: { readonly title: string; readonly content: string }): readonly Passage[] {
  const content = page.content.slice(0, MOST_CHARACTERS);
  const blocks = splitBlocks(content);
  const headings = outline(content, blocks);
  const places = [...divide(content, blocks)].slice(0, MOST_PASSAGES);
  const passages = places.map((place): Passage => {
    const section = headings.findLast(({ start }) => start <= place.start);
    const path = section && section.end > place.start ? section.path.join(', ') : '';
    const lead = [page.title, path.slice(0, MOST_HEADING_CHARACTERS)]
      .filter((part) => part !== '')
      .join('. ');
    return { ...place, text: `${lead}. ${plainText(content.slice(place.start, place.end)).text}` };
  });
  return passages.length > 0 ? passages : [{ start: 0, end: 0, text: page.title }];
}

/** Places in order, none of them longer than a passage may be. */
function* divide(content: string, blocks: readonly BlockSlice[]): Generator<PassagePlace> {
  let open: { start: number; end: number; tokens: number } | undefined;
  for (const { start, end, level, kind } of blocks) {
    const tokens = kind === 'frontmatter' ? 0 : estimateTokens(content.slice(start, end).trim());
    if (tokens === 0) continue;
    const ends =
      open && (open.tokens + tokens > MOST_TOKENS || (level !== undefined && open.tokens >= FEWEST_TOKENS));
    if (open && ends) yield* pieces(content, open);
    open = open && !ends ? { start: open.start, end, tokens: open.tokens + tokens } : { start, end, tokens };
  }
  if (open) yield* pieces(content, open);
}

/** What is too long is cut into equal parts, between words where there are any. */
function* pieces(
  content: string,
  { start, end, tokens }: { start: number; end: number; tokens: number },
): Generator<PassagePlace> {
  const count = Math.ceil(tokens / MOST_TOKENS);
  let from = start;
  for (let i = 1; i <= count; i += 1) {
    const wish = i === count ? end : Math.round(start + ((end - start) * i) / count);
    const to = i === count ? end : wordEdge(content, wish, from);
    if (to > from) yield { start: from, end: to };
    from = to;
  }
}

const FARTHEST_EDGE = 60;

function wordEdge(content: string, wish: number, from: number): number {
  for (let at = wish; at > Math.max(from, wish - FARTHEST_EDGE); at -= 1)
    if (/\s/.test(content.charAt(at))) return at;
  // Never between the halves of one character.
  return /[\uDC00-\uDFFF]/.test(content.charAt(wish)) ? wish + 1 : wish;
}
