/**
 * Takes out of the workspace what was deleted from a synced folder: pages go to the trash, or become plain folders
 * where something still lies below them. What changed meanwhile stays.
 */
import { sha256Hex } from '../../../kernel/canonical-json.ts';
import type { PageId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { FileNames } from '../file-names.ts';
import { detachAttachments } from '../import-attachments.ts';
import { landText } from '../land-text.ts';
import type { WorkspaceMeans } from '../means.ts';
import { requireMayChange, workspaceOf } from '../page-rules.ts';
import { requireMayChangeFile } from '../permissions/may-change-file.ts';
import { recordChange } from '../record-change.ts';
import { landTrash } from '../trash-page.ts';
import { pruneFolders } from './place-file.ts';

/** A page's file, with the version it had; without a page an attachment, with its digest. */
export interface Removal {
  readonly path: string;
  readonly page?: string | undefined;
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
}

/** `emptied`: a folder now. `changed`: not what the folder had, so it stays. */
export const REMOVAL_OUTCOMES = ['removed', 'emptied', 'changed', 'absent'] as const;
type Outcome = (typeof REMOVAL_OUTCOMES)[number];

export async function removeFiles(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  removals: readonly Removal[],
): Promise<readonly { readonly path: string; readonly outcome: Outcome }[]> {
  const landing = requireTicket(ticket, 'page', 'land');
  const going = new Map<string, string | undefined>();
  for (const { page, version } of removals) if (page !== undefined) going.set(page, version);
  const left = new Set<PageId | null>();
  const done: { path: string; outcome: Outcome }[] = [];
  // Higher ones first: what goes with them goes in the same batch.
  const ordered = [...removals].sort((a, b) => depthOf(a.path) - depthOf(b.path));
  for (const one of ordered) {
    await landing.tx.breathe();
    const outcome =
      one.page === undefined
        ? await removeAttachment(use, landing, one)
        : await removePage(use, landing, one.page as PageId, going, left);
    done.push({ path: one.path, outcome });
  }
  await pruneFolders(use, landing, left);
  return done;
}

const depthOf = (path: string): number => path.split('/').length;

async function removePage(
  use: WorkspaceMeans,
  landing: Landing,
  id: PageId,
  going: ReadonlyMap<string, string | undefined>,
  left: Set<PageId | null>,
): Promise<Outcome> {
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const page = await use.pages.find(tx, workspace, id);
  if (!page) return 'absent';
  if (page.trashBatch !== null) return 'removed';
  if (page.version !== going.get(id)) return 'changed';
  const below = (await use.pages.subtree(tx, workspace, id)).filter((one) => one.id !== id);
  const folders = await emptyFolders(
    use,
    landing,
    below.map((one) => one.id),
  );
  const goes = below.every((one) => going.get(one.id) === one.version || folders.has(one.id));
  requireMayChange(submission, [page]);
  left.add(page.parent);
  if (goes) {
    await landTrash(use, landing, page);
    return 'removed';
  }
  await becomeFolder(use, landing, id);
  return 'emptied';
}

async function emptyFolders(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  ids: readonly PageId[],
): Promise<ReadonlySet<PageId>> {
  const filed = await use.files.filed(tx, workspaceOf(submission), ids);
  return new Set(filed.filter(({ isEmpty, path }) => isEmpty && path?.endsWith('/')).map(({ id }) => id));
}

/** Its text is in its history; what lies below it needs it as a folder. */
async function becomeFolder(use: WorkspaceMeans, landing: Landing, id: PageId): Promise<void> {
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const folder = await new FileNames(use, tx, workspace).folderOf(id);
  const page = await use.pages.find(tx, workspace, id);
  if (!page) return;
  const version = page.content === '' ? page.version : await landText(use, landing, page, '');
  const dialect = page.dialect ?? null;
  const seen = { digest: sha256Hex(''), version, text: null, seenBy: 'sync' } as const;
  await use.files.bind(tx, { page: id, path: folder, dialect, ...seen });
  if (version === page.version) return;
  await recordChange(use, landing, workspace, [
    {
      kind: 'content_changed',
      page: id,
      beforeVersion: page.version,
      afterVersion: version,
      details: { file: folder, merged: false },
    },
  ]);
}

async function removeAttachment(
  use: WorkspaceMeans,
  landing: Landing,
  { path, digest }: Removal,
): Promise<Outcome> {
  const workspace = workspaceOf(landing.submission);
  const there = await use.files.attachmentsAt(landing.tx, workspace, [path]);
  if (there.length === 0) return 'absent';
  const files = there.filter((file) => file.digest === digest);
  if (files.length === 0) return 'changed';
  await requireMayChangeFile(use, landing, path, files);
  await detachAttachments(use, landing, files);
  return 'removed';
}
