/**
 * Who answers to which name and where it stands, now or after a change that has not been made yet. Plans for
 * renames, moves, trash and restore are made by looking at links through two such views.
 */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import type { Ancestor } from './page.ts';
import type { Candidate } from './resolve-link.ts';

export interface NameView {
  candidates(key: string): readonly Candidate[];
  /** The way to a page that was asked for when the view was made. */
  way(page: PageId): readonly Ancestor[];
  /** Paths of the attachments that answer to a folded name. */
  files(key: string): readonly string[];
}

/** A page's names and place after the change. */
export interface Placed {
  readonly page: PageId;
  readonly title: string;
  readonly slug: string;
  readonly aliases: readonly string[];
  /** Root first, itself last. */
  readonly way: readonly Ancestor[];
}

export interface NameChange {
  /** Pages that answer to nothing any more. */
  readonly removed: ReadonlySet<PageId>;
  /** Pages with new names or places, or new altogether. */
  readonly placed: readonly Placed[];
}

/** As the store has it: candidates for the given keys, ways for their pages and for the given ones. */
export async function readNameView(
  use: Pick<WorkspaceMeans, 'pages' | 'files'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  keys: readonly string[],
  pages: readonly PageId[],
): Promise<NameView> {
  const asked = [...new Set(keys)];
  const named = await use.pages.named(scope, workspace, asked);
  const files = Map.groupBy(await use.files.named(scope, workspace, asked), (file) => file.nameKey);
  const ids = new Set([...named.map((match) => match.page.id), ...pages]);
  const ways = await use.pages.ways(scope, [...ids]);
  const byKey = Map.groupBy(named, (match) => match.key);
  return {
    candidates: (key) =>
      (byKey.get(key) ?? []).map(({ page, kind }) => ({ page: page.id, kind, way: ways.get(page.id) ?? [] })),
    way: (page) => ways.get(page) ?? [],
    files: (key) => (files.get(key) ?? []).map((file) => file.path),
  };
}

/** The same view after the change. */
export function overlayNames(before: NameView, change: NameChange): NameView {
  const placed = new Map(change.placed.map((page) => [page.page, page]));
  const byKey = Map.groupBy(
    change.placed.flatMap((page) => namesOf(page)),
    (name) => name.key,
  );
  return {
    candidates(key) {
      const kept = before
        .candidates(key)
        .filter(({ page }) => !placed.has(page) && !change.removed.has(page))
        .map((candidate) => ({ ...candidate, way: placedWay(candidate.way, placed) }));
      const come = (byKey.get(key) ?? []).map(({ page, kind }) => ({
        page: page.page,
        kind,
        way: page.way,
      }));
      return [...kept, ...come];
    },
    way: (page) => placed.get(page)?.way ?? placedWay(before.way(page), placed),
    files: (key) => before.files(key),
  };
}

/** A page below a placed one moves with it. */
function placedWay(way: readonly Ancestor[], placed: ReadonlyMap<PageId, Placed>): readonly Ancestor[] {
  const at = way.findLastIndex((step) => placed.has(step.id));
  const moved = at < 0 ? undefined : placed.get((way[at] as Ancestor).id);
  return moved ? [...moved.way, ...way.slice(at + 1)] : way;
}

/** Every folded name a page answers to. */
export function namesOf(page: Placed): readonly { key: string; kind: Candidate['kind']; page: Placed }[] {
  return [
    { key: nameKey(page.title), kind: 'title', page },
    { key: nameKey(page.slug), kind: 'slug', page },
    ...page.aliases.map((alias) => ({ key: nameKey(alias), kind: 'alias' as const, page })),
  ];
}
