/** Reads a page, or a part of it, within a budget; what does not fit follows by cursor from the same version. */
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { loadPage } from './find-page.ts';
import { findSection, type Heading, outline } from './markdown/outline.ts';
import { splitBlocks } from './markdown/split-blocks.ts';
import type { WorkspaceMeans } from './means.ts';
import { type Page, pathOf } from './page.ts';
import { textOf } from './revise-page.ts';
import { cutAt } from './token-budget.ts';

export interface ReadWish {
  readonly page: string;
  /** A heading, nested ones joined by `#`. */
  readonly section?: string | undefined;
  readonly version?: string | undefined;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

export interface PageReading {
  readonly page: Page;
  readonly path: string;
  readonly aliases: readonly string[];
  readonly linksIn: number;
  readonly linksOut: number;
  readonly sources: readonly EntityVersion[];
  /** The version the content is of. */
  readonly version: string;
  readonly content: string;
  readonly headings: readonly Heading[];
  readonly nextCursor?: string;
}

const place = z.object({ version: z.string(), from: z.int().min(0), to: z.int().min(0) });

export async function readPage(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ReadWish,
): Promise<PageReading> {
  const page = await loadPage(use, scope, workspace, wish.page);
  const at = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place);
  const version = at?.version ?? wish.version ?? page.version;
  const text = await textOf(use, scope, page, version);
  const headings = outline(text);
  const range = at ?? sectionRange(text, headings, wish.section);
  const to = Math.min(range.to, text.length);
  const end = cutAt(text, range.from, blockEdges(text, to), wish.maxTokens);
  const ways = await use.pages.ways(scope, [page.id]);
  return {
    page,
    path: pathOf(ways.get(page.id) ?? []),
    aliases: await use.pages.aliases(scope, page.id),
    linksIn: await use.links.countTo(scope, page.id),
    linksOut: (await use.links.of(scope, page.id)).length,
    sources: await use.events.sourcesOf(scope, page.id),
    version,
    content: text.slice(range.from, end),
    headings,
    ...(end < to && { nextCursor: writeCursor({ version, from: end, to }) }),
  };
}

function blockEdges(text: string, to: number): number[] {
  return [...splitBlocks(text).map((block) => block.end), text.length]
    .filter((edge) => edge <= to)
    .concat(to);
}

function sectionRange(text: string, headings: readonly Heading[], section: string | undefined) {
  if (section === undefined) return { from: 0, to: text.length };
  const found = findSection(headings, section);
  if ('missing' in found) {
    const near =
      found.near.length > 0 ? `; there is ${found.near.map((title) => `"${title}"`).join(', ')}` : '';
    throw new SluiceError('not_found', `The page has no section "${section}"${near}`, { field: 'section' });
  }
  if ('ambiguous' in found) {
    throw new SluiceError('ambiguous', `The page has ${found.ambiguous.length} sections "${section}"`, {
      field: 'section',
      candidates: found.ambiguous.map((heading) => heading.path.join('#')),
    });
  }
  return { from: found.start, to: found.end };
}
