/** The links of a page in both directions, each with the sentence it stands in. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { loadPage } from './find-page.ts';
import { linksTo, meanings } from './link-meanings.ts';
import type { WorkspaceMeans } from './means.ts';
import { pathOf } from './page.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { sentenceAround } from './sentence-around.ts';

export interface PageMention {
  readonly id: PageId;
  readonly title: string;
  readonly path: string;
}

export interface Backlink {
  readonly page: PageMention;
  readonly link: LinkEntry;
  readonly context: string;
}

export interface OutgoingLink {
  readonly link: LinkEntry;
  readonly target?: PageMention;
  /** For an ambiguous link, what it may mean. */
  readonly candidates: readonly PageMention[];
  readonly context: string;
}

const PAGE = 50;
const backPlace = z.object({ source: z.string(), ordinal: z.int().min(0) });
const outPlace = z.object({ ordinal: z.int().min(0) });

export async function backlinks(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  cursor?: string,
): Promise<{ readonly links: readonly Backlink[]; readonly total: number; readonly nextCursor?: string }> {
  const page = await loadPage(use, scope, workspace, reference);
  const at = cursor === undefined ? undefined : readCursor(cursor, backPlace);
  const after = at && { source: at.source as PageId, ordinal: at.ordinal };
  const { found, total } = await linksTo(use, scope, page, PAGE + 1, after);
  const shown = found.slice(0, PAGE);
  const mentions = await mentionsOf(use, scope, workspace, new Set(shown.map((link) => link.source)));
  const links: Backlink[] = [];
  for (const [source, group] of Map.groupBy(shown, (link) => link.source)) {
    const text = (await use.pages.find(scope, workspace, source))?.content ?? '';
    const mention = mentions.get(source);
    if (mention)
      links.push(...group.map((link) => ({ page: mention, link, context: sentenceAround(text, link) })));
  }
  const last = shown.at(-1);
  const more = found.length > PAGE && last;
  return {
    links,
    total,
    ...(more && { nextCursor: writeCursor({ source: last.source, ordinal: last.ordinal }) }),
  };
}

export async function outgoingLinks(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  cursor?: string,
): Promise<{
  readonly links: readonly OutgoingLink[];
  readonly total: number;
  readonly nextCursor?: string;
}> {
  const page = await loadPage(use, scope, workspace, reference);
  const after = cursor === undefined ? -1 : readCursor(cursor, outPlace).ordinal;
  const all = await use.links.of(scope, page.id);
  const rest = all.filter((link) => link.ordinal > after);
  const shown = await meanings(use, scope, workspace, rest.slice(0, PAGE));
  const meant = new Set(
    shown.flatMap(({ link, candidates }) => [...candidates, ...[link.target ?? []].flat()]),
  );
  const mentions = await mentionsOf(use, scope, workspace, meant);
  const mention = (id: PageId | null): PageMention | undefined =>
    id === null ? undefined : mentions.get(id);
  const last = shown.at(-1)?.link;
  return {
    links: shown.map(({ link, candidates }) => {
      const target = mention(link.target);
      return {
        link,
        ...(target && { target }),
        candidates: candidates.flatMap((id) => mention(id) ?? []),
        context: sentenceAround(page.content, link),
      };
    }),
    total: all.length,
    ...(rest.length > PAGE && last && { nextCursor: writeCursor({ ordinal: last.ordinal }) }),
  };
}

/** Titles and paths, for showing. */
export async function mentionsOf(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  ids: ReadonlySet<PageId>,
): Promise<ReadonlyMap<PageId, PageMention>> {
  const headers = await use.pages.headers(scope, workspace, [...ids]);
  const ways = await use.pages.ways(
    scope,
    headers.map((page) => page.id),
  );
  return new Map(headers.map(({ id, title }) => [id, { id, title, path: pathOf(ways.get(id) ?? []) }]));
}
