/** What a rehearsed call has done to pages: as much of it as somebody who is to say yes can look through. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { FileSwap, Look, TextChange } from '../../../kernel/ports/review-desk.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';
import { describeChange } from '../describe-change.ts';
import { type FileChange, fileChangesOf } from '../file-events.ts';
import type { WorkspaceMeans } from '../means.ts';
import { textOf } from '../revise-page.ts';
import { shortDiff } from '../unified-diff.ts';

/** Named one by one; of more it is only said that they are. */
const MAX_FOLLOWERS = 1_000;
const EVENTS_AT_ONCE = 500;

/** Characters of all diffs that are kept with a proposal, or shown anew. */
export const MAX_KEPT = 64_000;
const DIFF = { lines: 200, lineLength: 500 };

type Account = Pick<Look, 'changes' | 'followers' | 'more' | 'files'>;
type Since = Omit<Account, 'changes'>;

export async function accountChanges(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  concerns: readonly EntityVersion[],
  since: number,
): Promise<Account> {
  const asked = concerns.filter(({ kind }) => kind === 'page');
  const found = await changedSince(use, scope, workspace, new Set(asked.map(({ id }) => id)), since);
  const changes = new Map<string, TextChange>();
  let left = MAX_KEPT;
  for (const entity of [...asked, ...found.followers]) {
    if (left <= 0) break;
    const change = await changeOf(use, scope, workspace, entity);
    if (!change) continue;
    changes.set(entity.id, change);
    left -= change.diff.length;
  }
  return { changes, ...found };
}

/** Pages whose text was changed though the call was not about them, at the version before it; and files. */
async function changedSince(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  asked: ReadonlySet<string>,
  since: number,
): Promise<Since> {
  const followers = new Map<PageId, EntityVersion>();
  const files: FileSwap[] = [];
  const found = (more: boolean): Since => ({ followers: [...followers.values()], more, files });
  for (let after = since; ; ) {
    const events = await use.events.ofWorkspace(scope, workspace, EVENTS_AT_ONCE, after);
    for (const event of events) {
      const { page, beforeVersion, afterVersion } = event;
      files.push(...(fileChangesOf(event) ?? []).map(swapOf));
      if (page === null || beforeVersion === null || beforeVersion === afterVersion) continue;
      if (asked.has(page) || followers.has(page)) continue;
      if (followers.size === MAX_FOLLOWERS) return found(true);
      followers.set(page, { kind: 'page', id: page, version: beforeVersion });
    }
    if (events.length < EVENTS_AT_ONCE) return found(false);
    after = events.at(-1)?.sequence ?? after;
  }
}

const swapOf = ({ path, zone, before, after }: FileChange): FileSwap => ({
  path,
  zone,
  before: before?.digest ?? null,
  after,
});

async function changeOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  { id, version }: EntityVersion,
): Promise<TextChange | undefined> {
  const page = await use.pages.find(scope, workspace, id as PageId);
  if (!page) return undefined;
  const after = page.trashBatch === null ? page.content : '';
  const before = await textOf(use, scope, page, version);
  return before === after ? undefined : textChange(before, after);
}

export function textChange(before: string, after: string): TextChange {
  const { lines_added: added, lines_removed: removed } = describeChange(before, after);
  return { added, removed, diff: shortDiff(before, after, DIFF) };
}
