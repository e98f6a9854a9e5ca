/** Reads a page, or a part of it, within a budget; what does not fit follows by cursor from the same version. */
import { z } from 'zod';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findHeading } from './editing/find-heading.ts';
import { loadPage } from './find-page.ts';
import { countLinksTo } from './link-meanings.ts';
import { type Heading, outline } from './markdown/outline.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { type Page, pathOf } from './page.ts';
import { type Mine, type Overlay, overlayOf } from './proposals/overlay.ts';
import { textOf } from './revise-page.ts';
import { type ChangedSource, sourcesWithChange } from './sources.ts';
import { cutAt, estimateTokens } from './token-budget.ts';

export interface ReadWish {
  readonly page: string;
  /** A heading, nested ones joined by `#`. */
  readonly section?: string | undefined;
  /** The headings instead of the text. */
  readonly outline?: boolean | undefined;
  readonly version?: string | undefined;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
  /** Shows the newest text with what this caller has proposed for it. */
  readonly mine?: Mine | undefined;
}

/** As much of a version as fits. */
interface Part {
  /** The version the content is of. */
  readonly version: string;
  readonly content: string;
  readonly headings: readonly Heading[];
  readonly nextCursor?: string;
  readonly overlay?: Overlay;
}

export interface PageReading extends Part {
  readonly page: Page;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly linksIn: number;
  readonly linksOut: number;
  readonly sources: readonly ChangedSource[];
}

const place = z.object({ version: z.string(), from: z.int().min(0), to: z.int().min(0) });
const headingPlace = z.object({ version: z.string(), heading: z.int().min(0) });

export async function readPage(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ReadWish,
): Promise<PageReading> {
  const page = await loadPage(use, scope, workspace, wish.page);
  const part = await (wish.outline ? readHeadings : readText)(use, scope, page, wish);
  const ways = await use.pages.ways(scope, [page.id]);
  return {
    page,
    path: pathOf(ways.get(page.id) ?? []),
    aliases: await use.pages.aliases(scope, page.id),
    linksIn: await countLinksTo(use, scope, page),
    linksOut: await use.links.countOf(scope, page.id),
    sources: await sourcesWithChange(use, scope, page),
    ...part,
  };
}

/** What is read, and the mark by which the next part is taken from the same text. */
interface View {
  readonly version: string;
  readonly text: string;
  readonly mark: string;
  readonly overlay?: Overlay;
}

async function viewOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  wish: ReadWish,
  begun: string | undefined,
): Promise<View> {
  if (!wish.mine) {
    const version = begun ?? wish.version ?? page.version;
    const text = await textOf(use, scope, page, version, begun === undefined ? 'version' : 'cursor');
    return { version, text, mark: version };
  }
  const overlay = await overlayOf(use, scope, page, wish.mine);
  const mark = `mine ${sha256Hex(overlay.text)}`;
  if (begun !== undefined && begun !== mark)
    throw new SluiceError('conflict', 'The page or what you proposed for it has changed; read it anew', {
      reason: 'stale',
      field: 'cursor',
    });
  return { version: page.version, text: overlay.text, mark, overlay };
}

async function readText(use: WorkspaceMeans, scope: ReadScope, page: Page, wish: ReadWish): Promise<Part> {
  const at = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place);
  const { text, mark, ...view } = await viewOf(use, scope, page, wish, at?.version);
  const range = at ?? sectionRange(text, wish.section);
  const to = Math.min(range.to, text.length);
  const end = cutAt(text, range.from, blockEdges(text, to), wish.maxTokens);
  const content = text.slice(range.from, end);
  return {
    ...view,
    content,
    headings: [],
    ...(end < to && { nextCursor: writeCursor({ version: mark, from: end, to }) }),
  };
}

/** What a heading costs besides its names. */
const TOKENS_A_HEADING = 15;

async function readHeadings(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
  wish: ReadWish,
): Promise<Part> {
  const at = wish.cursor === undefined ? undefined : readCursor(wish.cursor, headingPlace);
  const { text, mark, ...view } = await viewOf(use, scope, page, wish, at?.version);
  const all = outline(text);
  const from = at?.heading ?? 0;
  let [end, tokens] = [from, 0];
  for (const { title, path } of all.slice(from)) {
    tokens += estimateTokens(title) + estimateTokens(path.join('#')) + TOKENS_A_HEADING;
    if (end > from && tokens > wish.maxTokens) break;
    end += 1;
  }
  return {
    ...view,
    content: '',
    headings: all.slice(from, end),
    ...(end < all.length && { nextCursor: writeCursor({ version: mark, heading: end }) }),
  };
}

function blockEdges(text: string, to: number): number[] {
  return [...splitBlocks(text).map((block) => block.end), text.length]
    .filter((edge) => edge <= to)
    .concat(to);
}

function sectionRange(text: string, section: string | undefined) {
  if (section === undefined) return { from: 0, to: text.length };
  const { start, end } = findHeading(outline(text), section);
  return { from: start, to: end };
}
