/** Every page that a yes would change, as its reader may see it. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from '../means.ts';
import { MAX_KEPT, textChange } from './account-changes.ts';
import { shownConcerns } from './page-counts.ts';
import type { Concern, Proposal } from './proposal.ts';

export interface ConcernedPage extends Concern {
  /** Null when it is gone for good. */
  readonly title: string | null;
  /** It is not what it was when the change was proposed. */
  readonly changedSince: boolean;
}

export async function concernedPages(
  use: Pick<WorkspaceMeans, 'pages' | 'permissions'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  { concerns }: Proposal,
): Promise<readonly ConcernedPage[]> {
  const ids = concerns.map(({ id }) => id);
  const kept = new Set(await use.permissions.keptFrom(scope, ids));
  const headers = await use.pages.headers(scope, workspace, ids as PageId[]);
  const known = new Map<string, (typeof headers)[number]>(headers.map((page) => [page.id, page]));
  const shown = shownConcerns(concerns, kept).map((concern) => {
    const page = known.get(concern.id);
    return { ...concern, title: page?.title ?? null, changedSince: page?.version !== concern.version };
  });
  return withWhatWouldGo(use, scope, workspace, shown);
}

/** What came since would be removed as well, so that it is shown. */
async function withWhatWouldGo(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  pages: readonly ConcernedPage[],
): Promise<readonly ConcernedPage[]> {
  const told: ConcernedPage[] = [];
  let left = MAX_KEPT;
  for (const one of pages) {
    const isStale = one.removed && one.changedSince && left > 0;
    const page = isStale ? await use.pages.find(scope, workspace, one.id as PageId) : undefined;
    const change = page && page.trashBatch === null ? textChange(page.content, '') : one.change;
    left -= page ? (change?.diff.length ?? 0) : 0;
    told.push(change ? { ...one, change } : one);
  }
  return told;
}
