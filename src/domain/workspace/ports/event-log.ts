/** The port to the one ordered log of a workspace. Every change is in it, in the same transaction as the change. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Origin } from '../../../kernel/submission.ts';

export const EVENT_KINDS = [
  'workspace_created',
  'workspace_opened',
  'workspace_closed',
  'page_created',
  'content_changed',
  'metadata_changed',
  'page_moved',
  'page_renamed',
  'links_rewritten',
  'page_trashed',
  'page_restored',
  'files_attached',
  'permission_granted',
  'permission_revoked',
  'read_only_switched',
  'files_detached',
  'page_purged',
  'run_undone',
  'change_proposed',
  'proposal_accepted',
  'proposal_rejected',
  'memory_written',
  'memory_changed',
  'memory_superseded',
  'memory_forgotten',
  'memory_restored',
  'memory_reviewed',
  'memory_summarised',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export interface EventActor {
  readonly call: string;
  readonly run: string;
  readonly principal: string;
  readonly principalName: string;
  readonly tool: string;
  readonly origin: Origin;
}

export interface NewEvent {
  readonly kind: EventKind;
  readonly page: PageId | null;
  readonly beforeVersion: string | null;
  readonly afterVersion: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the new content was made from. */
  readonly sources?: readonly EntityVersion[];
}

export interface WorkspaceEvent extends NewEvent, EventActor {
  readonly sequence: number;
  /** The sequence of the first event of the same change. */
  readonly change: number;
  readonly at: number;
}

/** All that is given must hold. */
export interface EventFilter {
  readonly page?: PageId | undefined;
  readonly run?: string | undefined;
  /** A principal's name. */
  readonly caller?: string | undefined;
  readonly kinds?: readonly EventKind[] | undefined;
  readonly since?: number | undefined;
}

export interface RunSpan {
  readonly from: number;
  readonly through: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface EventLog {
  /** Numbers them without gaps, all as one change; answers the first number. */
  append(
    tx: WriteTx,
    workspace: WorkspaceId,
    actor: EventActor,
    at: number,
    events: readonly NewEvent[],
  ): Promise<number>;
  /** Newest first, before the given sequence. */
  ofPage(scope: ReadScope, page: PageId, limit: number, before?: number): Promise<readonly WorkspaceEvent[]>;
  /** Oldest first, after the given sequence. */
  ofWorkspace(
    scope: ReadScope,
    workspace: WorkspaceId,
    limit: number,
    after: number,
  ): Promise<readonly WorkspaceEvent[]>;
  /** Those that fit, newest first, before the given sequence. */
  matching(
    scope: ReadScope,
    workspace: WorkspaceId,
    filter: EventFilter,
    limit: number,
    before?: number,
  ): Promise<readonly WorkspaceEvent[]>;
  /** From the first to the last event of a run; undefined when it has none. */
  spanOfRun(scope: ReadScope, workspace: WorkspaceId, run: string): Promise<RunSpan | undefined>;
  /** All events of one change, in order. */
  ofChange(scope: ReadScope, workspace: WorkspaceId, change: number): Promise<readonly WorkspaceEvent[]>;
  /** For each page the event that last changed its text. */
  lastTextChanges(scope: ReadScope, pages: readonly PageId[]): Promise<ReadonlyMap<PageId, number>>;
  /** The last number given; 0 before the first. */
  newest(scope: ReadScope, workspace: WorkspaceId): Promise<number>;
  /** True when the page's text had that version at some time. */
  hasVersion(scope: ReadScope, page: PageId, version: string): Promise<boolean>;
  /** The newest event that gave the page's text that version. */
  withVersion(scope: ReadScope, page: PageId, version: string): Promise<WorkspaceEvent | undefined>;
  /** The sources recorded with each of these events; those without any are left out. */
  sourcesOfEvents(
    scope: ReadScope,
    workspace: WorkspaceId,
    sequences: readonly number[],
  ): Promise<ReadonlyMap<number, readonly EntityVersion[]>>;
  /** The sources recorded with a page's newest derived content, or with the newest up to an event. */
  sourcesOf(scope: ReadScope, page: PageId, upTo?: number): Promise<readonly EntityVersion[]>;
}
