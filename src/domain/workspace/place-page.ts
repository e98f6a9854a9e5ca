/** Finding a page's place: a free slug and a position among its siblings, and the names that go with it. */
import { generateKeyBetween } from 'fractional-indexing';
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import type { Placed } from './name-view.ts';
import { freeSlug, nameKey } from './names.ts';
import { type Ancestor, MAX_DEPTH, type PageHeader } from './page.ts';

type Means = Pick<WorkspaceMeans, 'pages'>;

/** Fewer than the shortest slug can have that had to be cut. */
export const SHARED_CHARACTERS = 30;

/** The slug, or the next free one if a sibling has it. The page itself does not stand in its own way. */
export async function slugAmong(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  parent: PageId | null,
  slug: string,
  own?: string,
): Promise<string> {
  // A long slug is cut to make room for its number, so only its beginning is sure to be shared.
  const beginning = [...nameKey(slug)].slice(0, SHARED_CHARACTERS).join('');
  const taken = new Set(await use.pages.siblingSlugs(scope, workspace, parent, beginning));
  if (own !== undefined) taken.delete(nameKey(own));
  return freeSlug(slug, taken);
}

/**
 * At an index among the siblings, 0 = first; at the end without one. The page itself does not count, and if it
 * stands there already, it keeps its position.
 */
export async function positionAmong(
  use: Means,
  tx: WriteTx,
  workspace: WorkspaceId,
  parent: PageId | null,
  index?: number,
  own?: PageHeader,
): Promise<string> {
  if (index === undefined) {
    const last = await use.pages.lastChild(tx.unveiled, workspace, parent, own?.id);
    return generateKeyBetween(last?.position ?? null, null);
  }
  // One more than needed, in case the page itself is among them.
  const siblings = await use.pages.children(tx, workspace, parent, index + 2);
  const others = siblings.filter((page) => page.id !== own?.id);
  const [before, after] = [index > 0 ? others[Math.min(index, others.length) - 1] : undefined, others[index]];
  if (own && own.parent === parent && liesBetween(own.position, before, after)) return own.position;
  const between = generateKeyBetween(before?.position ?? null, after?.position ?? null);
  return freePosition(use, tx, workspace, parent, between);
}

const liesBetween = (
  position: string,
  before: PageHeader | undefined,
  after: PageHeader | undefined,
): boolean => (!before || before.position < position) && (!after || position < after.position);

/** The position itself, or one right behind it if a sibling came to have it meanwhile. */
export async function freePosition(
  use: Means,
  tx: WriteTx,
  workspace: WorkspaceId,
  parent: PageId | null,
  position: string,
): Promise<string> {
  const from = { position, id: '' as PageId };
  const [next, afterNext] = await use.pages.children(tx.unveiled, workspace, parent, 2, from);
  if (next?.position !== position) return position;
  return generateKeyBetween(position, afterNext?.position ?? null);
}

/** The way to a parent; empty for the root. */
export async function wayTo(use: Means, scope: ReadScope, page: PageId | null): Promise<readonly Ancestor[]> {
  if (page === null) return [];
  return (await use.pages.ways(scope, [page])).get(page) ?? [];
}

export function checkDepth(depth: number): void {
  if (depth <= MAX_DEPTH) return;
  throw new SluiceError('invalid_input', `"parent" lies too deep: pages nest at most ${MAX_DEPTH} levels`, {
    field: 'parent',
  });
}

/** Names and place of each page of a subtree, as they are. */
export async function placedSubtree(
  use: Means,
  scope: ReadScope,
  pages: readonly PageHeader[],
): Promise<readonly Placed[]> {
  const ways = await use.pages.ways(
    scope,
    pages.map((page) => page.id),
  );
  const aliases = await use.pages.aliasesOfAll(
    scope,
    pages.map((page) => page.id),
  );
  return pages.map(({ id, title, slug }) => {
    return { page: id, title, slug, aliases: aliases.get(id) ?? [], way: ways.get(id) ?? [] };
  });
}

/** The same pages after the first one got other names or another place; those below it move along. */
export function movedSubtree(before: readonly Placed[], root: Placed): readonly Placed[] {
  return before.map((page) => {
    if (page.page === root.page) return root;
    const at = page.way.findIndex((step) => step.id === root.page);
    return { ...page, way: [...root.way, ...page.way.slice(at + 1)] };
  });
}
