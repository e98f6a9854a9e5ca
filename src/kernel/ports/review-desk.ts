/** The port to where calls wait for an author. The gateway puts them there without knowing what they are about. */
import type { WorkspaceId } from '../ids.ts';
import type { EntityVersion, WriteKind } from '../submission.ts';
import type { ProposeTicket } from '../ticket.ts';
import type { ReadScope } from './unit-of-work.ts';

/** What there is of some entities at a moment, before or in a rehearsal. */
export interface Look {
  /** Moves with every change in the workspace. */
  readonly sequence: number;
  /** Those that are there and not in the trash. */
  readonly live: ReadonlySet<string>;
  /** Of the first one. */
  readonly text: string | null;
  /** What each of them is besides its text. */
  readonly standing: ReadonlyMap<string, Standing>;
  /** In short, what became of the texts since then. */
  readonly changes: ReadonlyMap<string, TextChange>;
  /** What was changed besides, as far as it is worth naming: pages whose links were rewritten, for example. */
  readonly followers: readonly EntityVersion[];
  /** There were more of them. */
  readonly more: boolean;
  /** Which files came, went or were replaced since then. */
  readonly files: readonly FileSwap[];
}

/** A page's name and place. */
export interface Standing {
  readonly title: string;
  readonly icon: string | null;
  readonly parent: string | null;
  /** Among its siblings. */
  readonly position: string;
}

/** What lay at a path and what lies there now, by digest. */
export interface FileSwap {
  readonly path: string;
  readonly zone: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A change of one text among several, cut to what somebody looks at. */
export interface TextChange {
  readonly added: number;
  readonly removed: number;
  readonly diff: string;
}

/** A call that was rehearsed and taken back. */
export interface ProposedCall {
  readonly kind: WriteKind;
  /** What the tool is called by people. */
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What it would change, the entity that it names first. */
  readonly concerns: readonly EntityVersion[];
  readonly before: Look;
  /** Absent when it could not be carried out, because somebody changed the same place meanwhile. */
  readonly after?: Look;
}

export interface ReviewDesk {
  /** With `since`, a sequence, also what has changed after it. */
  look(
    scope: ReadScope,
    workspace: WorkspaceId,
    entities: readonly EntityVersion[],
    since?: number,
  ): Promise<Look>;
  /** Answers what the caller is told of it. */
  keep(ticket: ProposeTicket, call: ProposedCall): Promise<Readonly<Record<string, unknown>>>;
}
