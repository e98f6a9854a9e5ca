/** The port to what runs have read. Reading is not derivation; history shows both. */
import type { RunId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../../kernel/submission.ts';

export interface RunReads {
  /** The newest version the run read of each entity. */
  ofRun(scope: ReadScope, run: RunId): Promise<readonly EntityVersion[]>;
}
