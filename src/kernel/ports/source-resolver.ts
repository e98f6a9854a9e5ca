/** Lets the boundary turn what a caller names as a source into an entity at a version, wherever it lives. */
import type { Caller } from '../caller.ts';
import type { EntityVersion } from '../submission.ts';
import type { ReadScope } from './unit-of-work.ts';

export interface SourceResolver {
  /** Throws `not_found` when the source does not exist for this caller; `field` is where it was named. */
  resolve(scope: ReadScope, caller: Caller, reference: string, field: string): Promise<EntityVersion>;
}
