/** The blocks of a page, one by one: what kind they are, under which headings they stand, what they say. */
import { z } from 'zod';
import { SluiceError } from '../../../kernel/errors.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { BlockEntry } from '../block-index.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { loadPage } from '../find-page.ts';
import { type Heading, outline } from '../markdown/outline.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { cutAt, estimateTokens } from '../token-budget.ts';
import { TextLayout } from './text-layout.ts';

export interface PageBlock extends BlockEntry {
  readonly headingPath: readonly string[];
  /** Of a heading: which of those with the same path it is. */
  readonly ordinal?: number;
}

type Means = Pick<WorkspaceMeans, 'pages' | 'documents'>;

const place = z.object({ version: z.string(), block: z.int().min(0) });
const textPlace = z.object({ version: z.string(), from: z.int().min(0) });
/** What a block costs besides the start of its text. */
const TOKENS_A_BLOCK = 60;
const LONGEST_START = 120;

export interface BlocksWish {
  readonly page: string;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

/** A page that changed in between gives another list, so a cursor is good for its version alone. */
export async function listBlocks(use: Means, scope: ReadScope, workspace: WorkspaceId, wish: BlocksWish) {
  const page = await loadPage(use, scope, workspace, wish.page);
  const from = wish.cursor === undefined ? 0 : sameVersion(page, readCursor(wish.cursor, place)).block;
  const all = withHeadings(page, await use.documents.blocks(scope, page.id));
  const shown: (PageBlock & { readonly text: string })[] = [];
  let tokens = 0;
  for (const block of all.slice(from)) {
    const text = startOf(page.content.slice(block.start, block.end));
    tokens += estimateTokens(text) + estimateTokens(block.headingPath.join('')) + TOKENS_A_BLOCK;
    if (shown.length > 0 && tokens > wish.maxTokens) break;
    shown.push({ ...block, text });
  }
  const end = from + shown.length;
  const more = end < all.length;
  return {
    page,
    total: all.length,
    blocks: shown,
    ...(more && { nextCursor: writeCursor({ version: page.version, block: end }) }),
  };
}

export async function readBlock(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: BlocksWish & { readonly block: string },
) {
  const page = await loadPage(use, scope, workspace, wish.page);
  const entries = await use.documents.blocks(scope, page.id);
  const at = new TextLayout(page.content, entries).block(wish.block, 'block');
  const block = withHeadings(page, entries)[at];
  if (!block) throw new SluiceError('internal', 'The block index does not match the text');
  const offset = wish.cursor === undefined ? 0 : sameVersion(page, readCursor(wish.cursor, textPlace)).from;
  const from = Math.min(block.start + offset, block.end);
  const end = cutAt(page.content, from, [block.end], wish.maxTokens);
  const more = end < block.end;
  return {
    page,
    block,
    text: page.content.slice(from, end),
    ...(more && { nextCursor: writeCursor({ version: page.version, from: end - block.start }) }),
  };
}

function sameVersion<P extends { readonly version: string }>(page: Page, at: P): P {
  if (at.version === page.version) return at;
  throw new SluiceError('conflict', `"${page.title}" has changed since; begin again without a cursor`, {
    reason: 'stale',
    field: 'cursor',
    version: page.version,
  });
}

/** A heading stands under itself. */
function withHeadings(page: Page, entries: readonly BlockEntry[]): readonly PageBlock[] {
  const headings = outline(page.content);
  let [next, over]: [number, Heading | undefined] = [0, undefined];
  return entries.map((entry) => {
    const heading = headings[next];
    const opens = heading !== undefined && heading.start === entry.start;
    if (opens) [over, next] = [heading, next + 1];
    return { ...entry, headingPath: over?.path ?? [], ...(opens && { ordinal: heading.ordinal }) };
  });
}

/** On one line, cut between characters. */
const startOf = (text: string): string =>
  text
    .slice(0, 4 * LONGEST_START)
    .replace(/\s+/gu, ' ')
    .trim()
    .slice(0, LONGEST_START)
    .toWellFormed();
