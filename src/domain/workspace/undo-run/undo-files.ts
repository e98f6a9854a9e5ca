/** Takes back that files came or went: what lay at a path before lies there again, unless others put something there. */

import { type FileChange, fileChangesOf } from '../file-events.ts';
import { attach, detachAttachments } from '../import-attachments.ts';
import { requireMayChangeFile } from '../permissions/may-change-file.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import type { Attachment } from '../ports/file-store.ts';
import { usableBlobs } from '../usable-blobs.ts';
import { stepOf, type UndoStep } from './step.ts';
import type { Undoing } from './undoing.ts';

export async function undoFiles(
  undoing: Undoing,
  events: readonly WorkspaceEvent[],
): Promise<readonly UndoStep[]> {
  const steps: UndoStep[] = [];
  for (const noted of events.toReversed()) {
    // A file is told by its path, whichever page it was attached to.
    const event = { ...noted, page: null };
    const changes = fileChangesOf(event);
    if (changes) for (const change of changes) steps.push(await undoFile(undoing, event, change));
    else steps.push(stepOf(event, 'files', 'kept', { reason: 'what lay there before was not kept then' }));
  }
  return steps;
}

async function undoFile(undoing: Undoing, event: WorkspaceEvent, change: FileChange): Promise<UndoStep> {
  const { use, landing, workspace } = undoing;
  const { path, zone, before, after } = change;
  const there = await use.files.attachmentsAt(landing.tx, workspace, [path]);
  // It may have come into another zone since.
  const now = there.find((file) => file.zone === zone) ?? there.find((file) => file.digest === after);
  const digest = now?.digest ?? null;
  if (digest === (before?.digest ?? null)) return stepOf(event, path, 'nothing');
  if (digest !== after) return stepOf(event, path, 'kept', { reason: 'another file lies there by now' });
  const place = now?.zone ?? zone;
  // What showed it may be taken back already; who takes back his own needs nobody's word for it.
  const broughtBy = (now ?? before)?.broughtBy ?? null;
  await requireMayChangeFile(use, landing, path, [{ zone: place, broughtBy }]);
  if (before) return putBack(undoing, event, { ...before, zone: place });
  if (now) await detachAttachments(use, landing, [now]);
  return stepOf(event, path, 'undone', { effect: 'is taken away' });
}

async function putBack(
  { use, landing, workspace, blobs }: Undoing,
  event: WorkspaceEvent,
  file: Attachment,
): Promise<UndoStep> {
  const { path, parts } = file;
  const keep = (reason: string): UndoStep => stepOf(event, path, 'kept', { reason });
  const taken = await use.files.atPaths(landing.tx, workspace, [path]);
  if (taken.length > 0) return keep('a page has its place by now');
  await use.idleBlobs.claim(landing.tx, parts);
  // Later they are there only for another file, and that may be one which the caller does not see.
  const isFresh = event.at + blobs.keptMs > landing.submission.at;
  const isUsable = await usableBlobs(use, landing, [file.digest, ...parts], blobs.wasSent);
  const isThere = (part: string): boolean => (isFresh || isUsable(part)) && blobs.has(part);
  if (!parts.every(isThere)) return keep('its bytes are gone for good');
  await attach(use, landing, [file]);
  const isNew = event.kind === 'files_detached';
  return stepOf(event, path, 'undone', {
    effect: isNew ? 'lies there again' : 'is again what it was before',
  });
}
