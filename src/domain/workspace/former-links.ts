/** How links were written before a change rewrote them, so that undoing it gives each its own words back. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { findLinks } from './markdown/find-links.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Page } from './page.ts';
import type { LinkWish, RelinkRequest } from './plan-relink.ts';
import type { WorkspaceEvent } from './ports/event-log.ts';
import type { LinkEntry } from './ports/link-store.ts';
import type { StoredDocument } from './ports/text-documents.ts';

type Former = Exclude<LinkWish, string>;

interface FormerPage {
  /** Whether the text is still the one that the change left. */
  readonly untouched: boolean;
  readonly byOrdinal: ReadonlyMap<number, Former>;
  readonly byPath: ReadonlyMap<string, Former>;
}

const PAGES_AT_ONCE = 50;

/**
 * What undoing a change wants of links. In a text that nobody touched since, rewritten links get their old words and
 * all others stay; where somebody did, links that the change wrote get their old path and all others keep their meaning.
 */
export async function formerLinks(
  use: WorkspaceMeans,
  tx: WriteTx,
  workspace: WorkspaceId,
  events: readonly WorkspaceEvent[],
): Promise<Pick<RelinkRequest, 'wishes' | 'also'>> {
  const change = events[0]?.change ?? 0;
  const former = new Map<PageId, FormerPage>();
  const also: LinkEntry[] = [];
  const rewrites = events.filter((event) => event.kind === 'links_rewritten');
  for (let i = 0; i < rewrites.length; i += PAGES_AT_ONCE) {
    const some = rewrites.slice(i, i + PAGES_AT_ONCE);
    const ids = some.flatMap((event) => event.page ?? []);
    const pages = new Map((await use.pages.findAll(tx, workspace, ids)).map((page) => [page.id, page]));
    const documents = await use.documents.loadAll(tx, ids);
    const links = await use.links.ofAll(tx, ids);
    for (const event of some) {
      await tx.breathe();
      const page = event.page === null ? undefined : pages.get(event.page);
      const stored = page && documents.get(page.id)?.stored;
      if (!page || !stored || page.trashBatch !== null) continue;
      const before = formerPage(use, page, stored, event);
      former.set(page.id, before);
      also.push(...(links.get(page.id) ?? []).filter((link) => formerOf(before, link) !== undefined));
    }
  }
  const wishes = async (links: readonly LinkEntry[]): Promise<readonly LinkWish[]> => {
    const others = new Set(links.map((link) => link.source)).difference(new Set(former.keys()));
    const touched = await use.events.lastTextChanges(tx, [...others]);
    return links.map((link) => {
      const page = former.get(link.source);
      if (!page) return (touched.get(link.source) ?? 0) > change ? 'meaning' : 'text';
      return formerOf(page, link) ?? (page.untouched ? 'text' : 'meaning');
    });
  };
  return { wishes, also };
}

const formerOf = (page: FormerPage, link: LinkEntry): Former | undefined =>
  page.untouched ? page.byOrdinal.get(link.ordinal) : page.byPath.get(link.path);

function formerPage(
  use: Pick<WorkspaceMeans, 'texts'>,
  page: Page,
  stored: StoredDocument,
  event: WorkspaceEvent,
): FormerPage {
  const same = page.version === event.afterVersion;
  const after = same ? page.content : use.texts.textAt(stored, event.afterVersion ?? '');
  const untouched = page.content === after;
  const before = use.texts.textAt(stored, event.beforeVersion ?? '');
  const byOrdinal = new Map<number, Former>();
  const byPath = new Map<string, Former>();
  const old = findLinks(before ?? '', undefined, page.dialect).links;
  for (const [i, span] of findLinks(after ?? '', undefined, page.dialect).links.entries()) {
    const was = old[i];
    if (!was) continue;
    const written = before?.slice(was.targetStart, was.targetEnd) ?? '';
    if (written === after?.slice(span.targetStart, span.targetEnd)) continue;
    byOrdinal.set(i, { path: was.path, written });
    if (!byPath.has(span.path)) byPath.set(span.path, { path: was.path });
  }
  return { untouched, byOrdinal, byPath };
}
