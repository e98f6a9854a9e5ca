/** The port to what the audit log keeps of calls, as far as history tells of it. */
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';

export interface CallRecords {
  /** A digest of what the call was given; undefined when its record is gone. */
  argumentsDigest(scope: ReadScope, call: string): Promise<string | undefined>;
}
