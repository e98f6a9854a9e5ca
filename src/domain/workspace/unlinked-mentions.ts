/** Places that name a page without linking to it. Looks through the pages in order, so much at a time, and leaves none out. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { loadPage } from './find-page.ts';
import { findLinks } from './markdown/find-links.ts';
import { InertRanges } from './markdown/inert-ranges.ts';
import { scanBlocks } from './markdown/scan-blocks.ts';
import { TextUnits } from './markdown/text-units.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import { mentionsOf, type PageMention } from './page-links.ts';
import { sentenceAround } from './sentence-around.ts';

export interface UnlinkedMention {
  readonly page: PageMention;
  /** As it is written there. */
  readonly text: string;
  readonly context: string;
}

const place = z.object({ after: z.string() });
const PAGES_AT_ONCE = 100;
/** Pages looked through in one call. */
const MOST_PAGES = 2_000;
const MENTIONS = 50;
const PER_PAGE = 5;

export async function unlinkedMentions(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  cursor?: string,
): Promise<{ readonly mentions: readonly UnlinkedMention[]; readonly nextCursor?: string }> {
  const page = await loadPage(use, scope, workspace, reference);
  const pattern = patternOf([page.title, ...(await use.pages.aliases(scope, page.id))]);
  let after = cursor === undefined ? undefined : (readCursor(cursor, place).after as PageId);
  const found: { readonly source: Page; readonly start: number; readonly end: number }[] = [];
  for (let looked = 0; pattern && looked < MOST_PAGES && found.length < MENTIONS; looked += PAGES_AT_ONCE) {
    const some = await use.files.pages(scope, workspace, PAGES_AT_ONCE, after);
    const ids = some.map(({ id }) => id).filter((id) => id !== page.id);
    const sources = (await use.pages.findAll(scope, workspace, ids)).toSorted((a, b) =>
      a.id < b.id ? -1 : 1,
    );
    after = undefined;
    for (const source of sources) {
      found.push(...placesIn(source, pattern).map((span) => ({ source, ...span })));
      if (found.length < MENTIONS) continue;
      after = source.id;
      break;
    }
    if (after !== undefined) break;
    after = some.length < PAGES_AT_ONCE ? undefined : some.at(-1)?.id;
    if (after === undefined) break;
  }
  const mentions = await mentionsOf(use, scope, workspace, new Set(found.map(({ source }) => source.id)));
  return {
    mentions: found.flatMap(({ source, start, end }) => {
      const from = mentions.get(source.id);
      const context = sentenceAround(source.content, { start, end });
      return from ? [{ page: from, text: source.content.slice(start, end), context }] : [];
    }),
    ...(after !== undefined && { nextCursor: writeCursor({ after }) }),
  };
}

/** Names as whole words, whatever their case; in scripts without spaces a word may begin anywhere. */
function patternOf(names: readonly string[]): RegExp | undefined {
  const words = names
    .map((name) => name.trim())
    .filter((name) => [...name].length > 1)
    .toSorted((a, b) => b.length - a.length)
    .map((name) => {
      const literal = name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+');
      const spaced = (edge: string | undefined): boolean =>
        /[\p{L}\p{N}]/u.test(edge ?? '') && !UNSPACED.test(edge ?? '');
      const before = spaced([...name][0]) ? '(?<![\\p{L}\\p{N}_])' : '';
      const behind = spaced([...name].at(-1)) ? '(?![\\p{L}\\p{N}_])' : '';
      return before + literal + behind;
    });
  return words.length === 0 ? undefined : new RegExp(words.join('|'), 'giu');
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** Only in prose: code, formulas, comments and links say nothing about a page by themselves. */
function placesIn(page: Page, pattern: RegExp): { start: number; end: number }[] {
  if (page.content.search(pattern) < 0) return [];
  const scan = scanBlocks(page.content);
  const { links } = findLinks(page.content, scan, page.dialect);
  const places: { start: number; end: number }[] = [];
  const units = new TextUnits(page.content, '');
  let link = 0;
  for (const leaf of scan.leaves) {
    for (const unit of units.of(leaf)) {
      const inert = new InertRanges(unit.source, leaf.kind === 'html');
      for (const match of unit.source.matchAll(pattern)) {
        if (inert.has(match.index)) continue;
        const start = unit.toText(match.index);
        const end = unit.toText(match.index + match[0].length);
        while ((links[link]?.end ?? Number.POSITIVE_INFINITY) <= start) link += 1;
        if ((links[link]?.start ?? Number.POSITIVE_INFINITY) < end) continue;
        places.push({ start, end });
        if (places.length === PER_PAGE) return places;
      }
    }
  }
  return places;
}
