/** The port to the audit log. What it acknowledges is durable; what it cannot keep it refuses. */
import type { ReadScope, WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { EntityVersion } from '../../kernel/submission.ts';
import type { ChainHead } from './audit-chain.ts';
import type { AuditEntry, AuditRecord } from './audit-record.ts';

/** What a run read, to be kept with the record of the call that read it. */
export interface TrailNote {
  readonly run: string;
  readonly at: number;
  readonly entities: readonly EntityVersion[];
}

/** The indexed fields; each given one must be equal. */
export interface AuditFilter {
  readonly call_id?: string;
  readonly parent_call_id?: string;
  readonly tool_name?: string;
  readonly family?: string;
  readonly kind?: string;
  readonly surface?: string;
  readonly server?: string;
  readonly decision?: string;
  readonly status?: string;
  readonly error_code?: string;
  readonly gate?: string;
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly subject_name?: string;
  readonly credential_id?: string;
  readonly workspace_id?: string;
  readonly project_id?: string;
  readonly task_id?: string;
  readonly job_id?: string;
  readonly run_id?: string;
  readonly thread_id?: string;
  readonly writer?: string;
  readonly since?: number;
  readonly until?: number;
}

/** A place in the order (time, writer, sequence). */
export interface AuditPosition {
  readonly created_at: number;
  readonly writer: string;
  readonly sequence: number;
}

export interface AuditLog {
  /** Throws `unavailable` while the log cannot be written; a call that cannot be recorded does not happen. */
  reserve(): void;
  /** Durable when it resolves. */
  append(entry: AuditEntry, trail?: TrailNote): Promise<void>;
  /** Becomes durable with the unit, or not at all. */
  appendWith(tx: WriteTx, entry: AuditEntry, trail?: TrailNote): Promise<void>;
}

/** Reading the log back. */
export interface AuditReader {
  /** Newest first, strictly before `before`. */
  list(
    scope: ReadScope,
    filter: AuditFilter,
    limit: number,
    before?: AuditPosition,
  ): Promise<readonly AuditRecord[]>;
  /** All records of one call, oldest first. */
  ofCall(scope: ReadScope, callId: string): Promise<readonly AuditRecord[]>;
  /**
   * A writer's calls that began and have no end, oldest first: of those within this time before its last record, and
   * after its last start.
   */
  unfinished(scope: ReadScope, writer: string, withinMs: number): Promise<readonly AuditRecord[]>;
  writers(scope: ReadScope): Promise<readonly string[]>;
  /** A writer's records from a sequence on, oldest first. */
  chain(scope: ReadScope, writer: string, from: number, limit: number): Promise<readonly AuditRecord[]>;
  head(scope: ReadScope, writer: string): Promise<ChainHead | undefined>;
  /** The first of consecutive records of one writer that a list would pass over; undefined when it finds them all. */
  firstUnlisted(scope: ReadScope, records: readonly AuditRecord[]): Promise<AuditRecord | undefined>;
  /** Removes a writer's records up to and including a sequence; a checkpoint record must already say so. */
  prune(tx: WriteTx, writer: string, through: number): Promise<number>;
  /** The last record of a writer that is older than the given time, as are all before it, whatever the clock did. */
  lastBefore(scope: ReadScope, writer: string, time: number): Promise<ChainHead | undefined>;
}
