/** Workspaces: made, opened and closed. What is in a closed one is kept, but no tool reaches it. */
import { SluiceError } from '../../kernel/errors.ts';
import type { IdSource, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope, UnitOfWork } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceDirectory, WorkspaceEntry } from '../../kernel/ports/workspace-directory.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import type { EventKind, EventLog } from './ports/event-log.ts';
import type { Workspace, WorkspaceStore } from './ports/workspace-store.ts';
import { recordChange } from './record-change.ts';

export interface WorkspacesMeans {
  readonly workspaces: WorkspaceStore;
  readonly events: EventLog;
  readonly ids: IdSource;
  readonly directory: LiveDirectory;
}

/** What is known of the workspaces without asking the store; refreshed after every change. */
export interface LiveDirectory extends WorkspaceDirectory {
  refresh(): Promise<void>;
  all(): readonly WorkspaceEntry[];
}

export async function createDirectory(use: {
  readonly units: UnitOfWork;
  readonly workspaces: WorkspaceStore;
}): Promise<LiveDirectory> {
  let entries: readonly WorkspaceEntry[] = [];
  const refresh = async (): Promise<void> => {
    const all = await use.units.read((scope) => use.workspaces.all(scope));
    entries = all.map(toEntry);
  };
  await refresh();
  return {
    refresh,
    all: () => entries,
    find: (reference) => entries.find((entry) => entry.id === reference || sameName(entry.name, reference)),
    current: () =>
      entries.filter((entry) => entry.open).reduce<WorkspaceEntry | undefined>(laterOpened, undefined),
  };
}

const toEntry = ({ id, name, openedAt }: Workspace): WorkspaceEntry => ({
  id,
  name,
  open: openedAt !== null,
  openedAt: openedAt ?? 0,
});

const laterOpened = (best: WorkspaceEntry | undefined, entry: WorkspaceEntry): WorkspaceEntry =>
  best && best.openedAt >= entry.openedAt ? best : entry;

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;

export async function createWorkspace(
  use: WorkspacesMeans,
  ticket: WriteTicket,
  { name, open }: { readonly name: string; readonly open: boolean },
): Promise<Workspace> {
  const landing = requireTicket(ticket, 'workspace', 'land');
  const { tx, submission } = landing;
  if (!NAME.test(name)) {
    throw new SluiceError('invalid_input', '"name" must be 1 to 64 letters, digits, spaces, _ . or -', {
      field: 'name',
    });
  }
  const workspace: Workspace = {
    id: use.ids.next<WorkspaceId>(),
    name,
    createdAt: submission.at,
    openedAt: null,
    readOnly: false,
  };
  await use.workspaces.insert(tx, workspace);
  await record(use, landing, workspace.id, 'workspace_created', { name });
  tx.afterCommit(() => use.directory.refresh());
  return open ? setOpened(use, landing, workspace, true) : workspace;
}

/** Opening one makes it the current one. */
export function openWorkspace(
  use: WorkspacesMeans,
  ticket: WriteTicket,
  reference: string,
): Promise<Workspace> {
  return turn(use, ticket, reference, true);
}

export function closeWorkspace(
  use: WorkspacesMeans,
  ticket: WriteTicket,
  reference: string,
): Promise<Workspace> {
  return turn(use, ticket, reference, false);
}

async function turn(
  use: WorkspacesMeans,
  ticket: WriteTicket,
  reference: string,
  open: boolean,
): Promise<Workspace> {
  const landing = requireTicket(ticket, 'workspace', 'land');
  return setOpened(use, landing, await findWorkspace(use, landing.tx, reference), open);
}

async function setOpened(
  use: WorkspacesMeans,
  landing: Landing,
  workspace: Workspace,
  open: boolean,
): Promise<Workspace> {
  const { tx, submission } = landing;
  const all = await use.workspaces.all(tx);
  // Later than every other one, whatever the clock says.
  const openedAt = open ? Math.max(submission.at, ...all.map((known) => (known.openedAt ?? 0) + 1)) : null;
  await use.workspaces.setOpened(tx, workspace.id, openedAt);
  await record(use, landing, workspace.id, open ? 'workspace_opened' : 'workspace_closed', {});
  tx.afterCommit(() => use.directory.refresh());
  return { ...workspace, openedAt };
}

export async function findWorkspace(
  use: Pick<WorkspacesMeans, 'workspaces'>,
  scope: ReadScope,
  reference: string,
): Promise<Workspace> {
  const all = await use.workspaces.all(scope);
  const found = all.find((known) => known.id === reference || sameName(known.name, reference));
  if (found) return found;
  const names = all.map((known) => `"${known.name}"`).join(', ');
  throw new SluiceError('not_found', `There is no workspace "${reference}"; there is ${names || 'none'}`, {
    field: 'workspace',
  });
}

async function record(
  use: WorkspacesMeans,
  landing: Landing,
  workspace: WorkspaceId,
  kind: EventKind,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordChange(use, landing, workspace, [
    { kind, page: null, beforeVersion: null, afterVersion: null, details },
  ]);
}
