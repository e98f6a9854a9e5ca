/** What became of the sources of something: each is recorded with its version, so a change since can be seen. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';
import type { WorkspaceMeans } from '../means.ts';

export interface SourceState {
  readonly page: string;
  readonly version: string;
  readonly changedSince: boolean;
  /** `gone`: not there for whoever asks. */
  readonly state: 'live' | 'trashed' | 'gone';
}

export async function sourceStates(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  sources: readonly EntityVersion[],
): Promise<readonly SourceState[]> {
  if (sources.length === 0) return [];
  const headers = await use.pages.headers(scope, workspace, [
    ...new Set(sources.map(({ id }) => id as PageId)),
  ]);
  const byId = new Map<string, (typeof headers)[number]>(headers.map((header) => [header.id, header]));
  return sources.map(({ id, version }) => {
    const header = byId.get(id);
    if (!header) return { page: id, version, changedSince: true, state: 'gone' };
    const state = header.trashBatch === null ? 'live' : 'trashed';
    return { page: id, version, changedSince: header.version !== version || state === 'trashed', state };
  });
}
