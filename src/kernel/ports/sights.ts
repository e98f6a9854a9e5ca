/** Binds what a call reads and writes with to what its caller may see. There is no other scope for handlers. */
import type { Caller } from '../caller.ts';
import type { WorkspaceId } from '../ids.ts';
import type { Sight } from '../sight.ts';
import type { ReadScope } from './unit-of-work.ts';

export interface Bound<Scope extends ReadScope> {
  /** Shows what the caller may see, and nothing else. */
  readonly scope: Scope;
  readonly sight: Sight;
  /** True while nobody writes into the workspace at all. */
  readonly readOnly: boolean;
}

export interface Sights {
  bind<Scope extends ReadScope>(scope: Scope, caller: Caller): Promise<Bound<Scope>>;
  /** Without the ids of pages that are not there for who has the scope. */
  seen(scope: ReadScope, ids: ReadonlySet<string | null>): Promise<ReadonlySet<string | null>>;
  /** One more with every change of what is known here of who may see what; an answer must not outlast it. */
  changes(workspace: WorkspaceId): number;
}
