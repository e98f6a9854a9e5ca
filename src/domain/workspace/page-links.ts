/** The links of a page in both directions, each with the sentence it stands in. */
import { z } from 'zod';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { loadPage } from './find-page.ts';
import { keysOf, resolveIn } from './index-links.ts';
import type { WorkspaceMeans } from './means.ts';
import { readNameView } from './name-view.ts';
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
  const found = await use.links.to(scope, page.id, PAGE + 1, after);
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
    total: await use.links.countTo(scope, page.id),
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
  const shown = rest.slice(0, PAGE);
  const candidates = await candidatesOf(use, scope, workspace, shown);
  const meant = new Set([...shown.flatMap((link) => link.target ?? []), ...[...candidates.values()].flat()]);
  const mentions = await mentionsOf(use, scope, workspace, meant);
  const mention = (id: PageId | null): PageMention | undefined =>
    id === null ? undefined : mentions.get(id);
  const last = shown.at(-1);
  return {
    links: shown.map((link) => {
      const target = mention(link.target);
      return {
        link,
        ...(target && { target }),
        candidates: (candidates.get(link.ordinal) ?? []).flatMap((id) => mention(id) ?? []),
        context: sentenceAround(page.content, link),
      };
    }),
    total: all.length,
    ...(rest.length > PAGE && last && { nextCursor: writeCursor({ ordinal: last.ordinal }) }),
  };
}

async function candidatesOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  links: readonly LinkEntry[],
): Promise<ReadonlyMap<number, readonly PageId[]>> {
  const ambiguous = links.filter((link) => link.status === 'ambiguous');
  if (ambiguous.length === 0) return new Map();
  const sources = [...new Set(ambiguous.map((link) => link.source))];
  const view = await readNameView(use, scope, workspace, keysOf(ambiguous), sources);
  return new Map(ambiguous.map((link) => [link.ordinal, resolveIn(link, view).candidates]));
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
