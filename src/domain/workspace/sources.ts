/** What derived content was made from, and whether that has changed since. */
import { SluiceError } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';

export interface ChangedSource extends EntityVersion {
  /** True when it has another text by now, or is no longer there. */
  readonly changedSince: boolean;
  /** As it is now; absent when it is gone for good. */
  readonly page?: PageHeader;
}

/** Each page among the sources is of this workspace, at a version it had; what was accepted was held to that when it was proposed. */
export async function requireSources(
  use: Pick<WorkspaceMeans, 'pages' | 'events'>,
  { tx, submission }: Landing,
  workspace: WorkspaceId,
): Promise<void> {
  const { accepted } = submission;
  const derivedFrom = submission.derivedFrom.filter(({ kind }) => kind === 'page');
  if (derivedFrom.length === 0 || accepted) return;
  const ids = derivedFrom.map(({ id }) => id as PageId);
  const known = new Set<string>((await use.pages.headers(tx, workspace, ids)).map(({ id }) => id));
  for (const { id, version } of derivedFrom) {
    if (known.has(id) && (await use.events.hasVersion(tx, id as PageId, version))) continue;
    throw new SluiceError('not_found', `There is no source "${id}" at the version "${version}"`, {
      field: 'derived_from',
    });
  }
}

/** The sources of a page's newest derived content. */
export async function sourcesWithChange(
  use: Pick<WorkspaceMeans, 'pages' | 'events' | 'permissions'>,
  scope: ReadScope,
  page: Pick<PageHeader, 'id' | 'workspace'>,
): Promise<readonly ChangedSource[]> {
  return withChange(use, scope, page.workspace, await use.events.sourcesOf(scope, page.id));
}

export async function withChange(
  use: Pick<WorkspaceMeans, 'pages' | 'permissions'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  sources: readonly EntityVersion[],
): Promise<readonly ChangedSource[]> {
  if (sources.length === 0) return [];
  const ids = sources.map(({ id }) => id as PageId);
  const pages = new Map<string, PageHeader>();
  for (const page of await use.pages.headers(scope, workspace, ids)) pages.set(page.id, page);
  const kept = new Set(await use.permissions.keptFrom(scope, ids));
  const shown = sources.filter(({ id }) => !kept.has(id));
  return shown.map((source) => {
    const page = pages.get(source.id);
    const changedSince = page?.version !== source.version || page.trashBatch !== null;
    return page ? { ...source, changedSince, page } : { ...source, changedSince };
  });
}
