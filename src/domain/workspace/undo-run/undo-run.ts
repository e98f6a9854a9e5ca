/**
 * Takes back everything one run did, newest first, in one unit. What others did since stays; what cannot be taken back
 * without touching it is reported and left. The undoing has a run of its own and can be undone like any other.
 */
import { SluiceError } from '../../../kernel/errors.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import type { WorkspaceMeans } from '../means.ts';
import { workspaceOf } from '../page-rules.ts';
import type { EventKind, WorkspaceEvent } from '../ports/event-log.ts';
import { isPlacing } from '../undo-change.ts';
import { kept, stepOf, type UndoStep } from './step.ts';
import { undoFiles } from './undo-files.ts';
import { undoMetadata, undoPlace } from './undo-place.ts';
import { undoComing, undoGoing } from './undo-presence.ts';
import { undoProposing, undoRejecting } from './undo-proposal.ts';
import { undoText } from './undo-text.ts';
import { type FormerBlobs, isOwn, rootOf, type Undoing, undoingMeans } from './undoing.ts';
import { noteUndone, undoneUpTo } from './undone-runs.ts';

export interface RunUndone {
  /** The run that the undoing is, to undo it by. */
  readonly run: string;
  readonly steps: readonly UndoStep[];
}

export interface UndoWish {
  readonly run: string;
  readonly dryRun: boolean;
  readonly blobs: FormerBlobs;
}

export async function undoRun(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  { run, dryRun, blobs }: UndoWish,
): Promise<RunUndone> {
  const landing = requireTicket(ticket, 'page', 'land');
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const all = await eventsOf(use, landing, workspace, run);
  const root = rootOf(run, all);
  // What was taken back already is not taken back twice.
  const done = await undoneUpTo(use, tx, workspace, run);
  const events = all.filter(({ sequence }) => sequence > done);
  const own = `${submission.caller.context.run}/undo:${submission.callId}`;
  const undoing: Undoing = { use: undoingMeans(use, own, root), landing, workspace, run, own, root, blobs };
  const steps: UndoStep[] = [];
  const act = async (): Promise<void> => {
    for (const change of Map.groupBy(events, (event) => event.change).values()) {
      await tx.breathe();
      steps.push(...(await undoOne(undoing, change.toReversed())));
    }
  };
  await (dryRun ? rehearse(landing, act) : act());
  if (!dryRun && events.length > 0) await noteUndone(undoing);
  return { run: own, steps };
}

const MAX_EVENTS = 20_000;

/** Newest first. A run that is somebody else's is the same as none for whoever may only take back his own. */
async function eventsOf(
  use: WorkspaceMeans,
  { tx, submission }: Landing,
  workspace: WorkspaceId,
  run: string,
): Promise<readonly WorkspaceEvent[]> {
  const events = await use.events.matching(tx, workspace, { run }, MAX_EVENTS + 1);
  const { principal } = submission.caller;
  const mayAll = submission.lifecycle === 'canonical';
  if (events.length === 0 || !(mayAll || events.every((event) => event.principal === principal.id)))
    throw new SluiceError('not_found', `There is no run "${run}" that changed anything`, { field: 'run' });
  if (events.length <= MAX_EVENTS) return events;
  const what = `The run "${run}" did more than ${MAX_EVENTS} things; restore a backup instead`;
  throw new SluiceError('invalid_input', what, { field: 'run' });
}

/** Does it and takes it back, so that the preview is what would happen. */
async function rehearse({ tx }: Landing, act: () => Promise<void>): Promise<void> {
  const end = new SluiceError('internal', 'The rehearsal is over');
  const over = tx.attempt(async () => {
    await act();
    throw end;
  });
  await over.catch((error: unknown) => {
    if (error !== end) throw error;
  });
}

/** Events of one change, in order. */
async function undoOne(undoing: Undoing, events: readonly WorkspaceEvent[]): Promise<readonly UndoStep[]> {
  const [first] = events;
  if (first && isPlacing(first)) return attempt(undoing, [first], () => undoPlace(undoing, first, events));
  const steps: UndoStep[] = [];
  for (const event of events.toReversed()) {
    if (TOGETHER[event.kind] || NOT_CONTENT.includes(event.kind)) continue;
    const single = SINGLE[event.kind] ?? undoOther;
    steps.push(...(await attempt(undoing, [event], async () => [await single(undoing, event)])));
  }
  for (const [kind, undo] of Object.entries(TOGETHER)) {
    const some = events.filter((event) => event.kind === kind);
    if (some.length > 0) steps.push(...(await attempt(undoing, some, () => undo(undoing, some))));
  }
  return steps;
}

type UndoSingle = (undoing: Undoing, event: WorkspaceEvent) => Promise<UndoStep>;
type UndoTogether = (undoing: Undoing, events: readonly WorkspaceEvent[]) => Promise<readonly UndoStep[]>;

const WAS_ACCEPTED = 'it was accepted; undo the run that proposed it';

const SINGLE: Partial<Record<EventKind, UndoSingle>> = {
  content_changed: (undoing, event) =>
    event.details.accepted_with === undefined ? undoText(undoing, event) : Promise.reject(kept(WAS_ACCEPTED)),
  links_rewritten: undoText,
  metadata_changed: undoMetadata,
  change_proposed: undoProposing,
  proposal_rejected: undoRejecting,
  proposal_accepted: () => Promise.reject(kept(WAS_ACCEPTED)),
};

/** Opening and closing a workspace writes nothing into it, and what an undoing did is told by its other events. */
const NOT_CONTENT: readonly EventKind[] = [
  'workspace_created',
  'workspace_opened',
  'workspace_closed',
  'run_undone',
];

/** What is no page's is taken back by whoever keeps it; what stays is at least said. */
const undoOther: UndoSingle = async (undoing, event) => {
  const { use, landing } = undoing;
  const taken = await use.otherChanges?.takeBack(use.events, landing, event, (one) => isOwn(undoing, one));
  if (!taken) throw kept(STAYS[event.kind] ?? `"${event.kind}" is not taken back with a run`);
  return stepOf(event, taken.what, taken.outcome);
};

const STAYS: Partial<Record<EventKind, string>> = {
  permission_granted: 'who may see what is taken back by hand: revoke_permission, or grant_permission anew',
  permission_revoked: 'who may see what is given back by hand, with grant_permission',
  read_only_switched: 'a workspace is locked and unlocked by hand',
  page_purged: 'what was purged is gone for good',
};

const TOGETHER: Partial<Record<EventKind, UndoTogether>> = {
  page_created: undoComing,
  page_restored: undoComing,
  page_trashed: undoGoing,
  files_attached: undoFiles,
  files_detached: undoFiles,
};

/** All of it or nothing; what stands against it is said. */
async function attempt(
  { use, landing, workspace }: Undoing,
  events: readonly WorkspaceEvent[],
  undo: () => Promise<readonly UndoStep[]>,
): Promise<readonly UndoStep[]> {
  try {
    return await landing.tx.attempt(undo);
  } catch (error) {
    if (!(error instanceof SluiceError) || !['conflict', 'not_found'].includes(error.code)) throw error;
    const ids = events.flatMap(({ page }) => page ?? []);
    const titles = new Map(
      (await use.pages.headers(landing.tx, workspace, ids)).map(({ id, title }) => [id, title]),
    );
    const reason = error.message;
    return events.map((event) =>
      stepOf(event, (event.page && titles.get(event.page)) ?? nameOf(event), 'kept', { reason }),
    );
  }
}

/** For what is no page. */
function nameOf({ kind, details }: WorkspaceEvent): string {
  if (typeof details.memory === 'string') return `${details.tier} memory ${details.memory}`;
  if (typeof details.subject === 'string')
    return `permission of ${details.subject_type} "${details.subject}"`;
  return kind === 'read_only_switched' ? 'the workspace' : '';
}
