/** What links mean to who looks. Noted is what they mean among all pages; who sees fewer has them resolved anew. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { keysOf, resolveIn } from './index-links.ts';
import type { WorkspaceMeans } from './means.ts';
import { type NameView, readNameView } from './name-view.ts';
import { nameKey } from './names.ts';
import type { PageHeader } from './page.ts';
import type { LinkEntry } from './ports/link-store.ts';

type Means = Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>;

export interface MeantLink {
  readonly link: LinkEntry;
  /** For an ambiguous link, what it may mean. */
  readonly candidates: readonly PageId[];
}

export async function meanings(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  links: readonly LinkEntry[],
): Promise<readonly MeantLink[]> {
  const open = use.links.settled(scope) ? links.filter((link) => link.status === 'ambiguous') : links;
  if (open.length === 0) return links.map((link) => ({ link, candidates: [] }));
  const sources = [...new Set(open.map((link) => link.source))];
  const view = await readNameView(use, scope, workspace, keysOf(open), sources);
  const anew = new Set(open);
  return links.map((link) => (anew.has(link) ? meaning(link, view) : { link, candidates: [] }));
}

function meaning(link: LinkEntry, view: NameView): MeantLink {
  const { status, target, candidates } = resolveIn(link, view);
  // A link into the trash says so for as long as nothing else answers to the name.
  const staysTrashed = status === 'unresolved' && link.status === 'trashed';
  return { link: staysTrashed ? link : { ...link, status, target }, candidates };
}

type Place = { readonly source: PageId; readonly ordinal: number };

/** Links from live pages to a page, in order of source and place, after the given one; and how many there are in all. */
export async function linksTo(
  use: Means,
  scope: ReadScope,
  page: PageHeader,
  limit: number,
  after?: Place,
): Promise<{ readonly found: readonly LinkEntry[]; readonly total: number }> {
  if (use.links.settled(scope)) {
    const found = await use.links.to(scope, page.id, limit, after);
    return { found, total: await use.links.countTo(scope, page.id) };
  }
  const all = await seenLinksTo(use, scope, page);
  const rest = after ? all.filter((link) => comesAfter(link, after)) : all;
  return { found: rest.slice(0, limit), total: all.length };
}

export async function countLinksTo(use: Means, scope: ReadScope, page: PageHeader): Promise<number> {
  if (use.links.settled(scope)) return use.links.countTo(scope, page.id);
  return (await seenLinksTo(use, scope, page)).length;
}

async function seenLinksTo(use: Means, scope: ReadScope, page: PageHeader): Promise<readonly LinkEntry[]> {
  const names = [page.title, page.slug, ...(await use.pages.aliases(scope, page.id))];
  const said = await use.links.byKeys(scope, page.workspace, [...new Set(names.map(nameKey))]);
  const meant = await meanings(use, scope, page.workspace, said);
  return meant
    .map(({ link }) => link)
    .filter((link) => link.target === page.id)
    .sort((a, b) => (comesAfter(a, b) ? 1 : -1));
}

const comesAfter = (link: Place, other: Place): boolean =>
  link.source > other.source || (link.source === other.source && link.ordinal > other.ordinal);
