/**
 * The one way to data. Reads see one consistent state; writes are units that the store commits in batches.
 * A unit awaits nothing but what it does with its transaction, has no outside effects and may run again.
 */
import type { WorkspaceId } from '../ids.ts';

declare const readable: unique symbol;
declare const writable: unique symbol;

/** Sees one consistent state of the store. Store drivers know what is behind it, nobody else does. */
export interface ReadScope {
  readonly [readable]: true;
}

/** May also write. Domain code gets one only by spending a ticket. */
export interface WriteTx extends ReadScope {
  readonly [writable]: true;
  /**
   * The same transaction without the caller's sight: for what the system itself keeps in order, such as links and
   * positions. Nothing that is found by it alone may reach an answer.
   */
  readonly unveiled: WriteTx;
  /** To be awaited now and then in work that takes long: lets others have their turn, unless they just had it. */
  breathe(): Promise<void>;
  /** A part of the unit that may fail alone: when it does, nothing of it stays and the unit can go on. */
  attempt<T>(part: () => Promise<T>): Promise<T>;
  /** Runs once the unit is durable and before its caller is answered; never when it was rolled back. */
  afterCommit(action: () => void | Promise<void>): void;
}

export interface UnitOptions {
  /** Serialises units of one workspace, across processes where the store is shared. */
  readonly workspace?: WorkspaceId | undefined;
  /** Gives up a unit that has not begun. */
  readonly signal?: AbortSignal | undefined;
}

export interface UnitOfWork {
  read<T>(work: (scope: ReadScope) => Promise<T>): Promise<T>;
  write<T>(options: UnitOptions, unit: (tx: WriteTx) => Promise<T>): Promise<T>;
}
