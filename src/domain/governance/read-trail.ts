/** The port to the read trail: which entity versions a run has read. */
import type { RunId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';

export interface ReadTrail {
  /** The newest version the run read of each entity, in the order first read. */
  ofRun(scope: ReadScope, run: RunId): Promise<readonly EntityVersion[]>;
}
