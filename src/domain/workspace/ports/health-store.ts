/** The port to what may want a look in a workspace. Only live pages are seen; lists are in order of id, after the given one. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { LinkStatus } from './link-store.ts';

/**
 * `orphans`: no link leads there and neither parent nor child stands by it. `unreviewed`: not canonical yet.
 * `stale_derivations`: a source has changed, or is gone, since the text was made from it.
 */
export const PAGE_CHECKS = ['orphans', 'unreviewed', 'stale_derivations'] as const;
export type PageCheck = (typeof PAGE_CHECKS)[number];

export interface HealthStore {
  count(scope: ReadScope, workspace: WorkspaceId, check: PageCheck): Promise<number>;
  pages(
    scope: ReadScope,
    workspace: WorkspaceId,
    check: PageCheck,
    limit: number,
    after?: PageId,
  ): Promise<readonly PageId[]>;
  countLinks(scope: ReadScope, workspace: WorkspaceId, status: LinkStatus): Promise<number>;
}
