/**
 * What is recorded of a call: who, what, when, decided how, ended how. Never a payload: arguments and results
 * appear only as digests. Records are appended and never changed.
 */

/**
 * Every field of a record in the order in which it is hashed and stored. Appending a field here is a
 * migration; changing the order breaks every chain there is.
 */
export const AUDIT_FIELDS = [
  'writer',
  'sequence',
  'created_at',
  'call_id',
  'parent_call_id',
  'phase',
  'kind',
  'surface',
  'server',
  'tool_name',
  'family',
  'effect',
  'decision',
  'status',
  'gate',
  'error_code',
  'duration_ms',
  'subject_type',
  'subject_id',
  'subject_name',
  'user_id',
  'group_ids',
  'role_names',
  'credential_id',
  'agent_type',
  'invocation_class',
  'workspace_id',
  'project_id',
  'task_id',
  'job_id',
  'run_id',
  'thread_id',
  'origin',
  'declared_origin',
  'policy_version',
  'catalogue_version',
  'input_digest',
  'output_digest',
  'verdict',
  'source',
  'repeat_count',
  'note',
] as const;

export type AuditField = (typeof AUDIT_FIELDS)[number];

/** A record as a row: all its fields, and what ties it to the one before it. */
export const AUDIT_COLUMNS = [...AUDIT_FIELDS, 'previous_hash', 'hash'] as const;
export type AuditValue = string | number | null;

/** `single`: the whole story in one record. `started` and `finished` frame an effect outside of Sluice. */
export type AuditPhase = 'single' | 'started' | 'finished';

/**
 * `refused_request` never became a call; `refused_source` folds unauthenticated requests; `writer_started` and
 * `checkpoint` are the log's own; `completion` suggests values of arguments, `subscription` follows changes.
 */
export type AuditKind =
  | 'tool'
  | 'resource'
  | 'prompt'
  | 'completion'
  | 'subscription'
  | 'list'
  | 'refused_request'
  | 'refused_source'
  | 'writer_started'
  | 'checkpoint';

/** A record before it has its place in a chain. */
export interface AuditEntry {
  readonly created_at: number;
  readonly call_id: string;
  readonly parent_call_id: string | null;
  readonly phase: AuditPhase;
  readonly kind: AuditKind;
  readonly surface: string;
  /** `built-in`, a provider or a node. */
  readonly server: string;
  readonly tool_name: string;
  readonly family: string | null;
  readonly effect: string | null;
  /** The gates' answer; `status` is how it ended. A permitted call that fails is allow + error. */
  readonly decision: 'allow' | 'deny';
  /**
   * `suspended`: it asks for something; the call that answers names it as its parent. `unconfirmed`: it may have
   * changed something outside, and nobody knows.
   */
  readonly status: 'success' | 'error' | 'started' | 'suspended' | 'unconfirmed';
  /** The step that refused. */
  readonly gate: string | null;
  readonly error_code: string | null;
  readonly duration_ms: number | null;
  readonly subject_type: string | null;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly user_id: string | null;
  /** JSON arrays as text, like `role_names`. */
  readonly group_ids: string | null;
  readonly role_names: string | null;
  readonly credential_id: string | null;
  readonly agent_type: string | null;
  readonly invocation_class: string | null;
  readonly workspace_id: string | null;
  readonly project_id: string | null;
  readonly task_id: string | null;
  readonly job_id: string | null;
  readonly run_id: string | null;
  readonly thread_id: string | null;
  readonly origin: string | null;
  readonly declared_origin: string | null;
  readonly policy_version: number | null;
  readonly catalogue_version: string | null;
  readonly input_digest: string | null;
  readonly output_digest: string | null;
  readonly verdict: string | null;
  /** Where an unauthenticated request came from. */
  readonly source: string | null;
  /** How many requests this record stands for. */
  readonly repeat_count: number;
  /** For the log's own records: the heads it saw, the range it pruned. For a provider's: what was admitted of it. */
  readonly note: string | null;
}

/** A record in its chain. */
export interface AuditRecord extends AuditEntry {
  readonly writer: string;
  readonly sequence: number;
  readonly previous_hash: string;
  readonly hash: string;
}

/** An entry with everything absent that is not given. */
export function auditEntry(
  given: Partial<AuditEntry> &
    Pick<AuditEntry, 'created_at' | 'call_id' | 'kind' | 'surface' | 'tool_name' | 'decision' | 'status'>,
): AuditEntry {
  return { ...EMPTY, ...given };
}

const EMPTY = {
  parent_call_id: null,
  phase: 'single',
  server: 'built-in',
  family: null,
  effect: null,
  gate: null,
  error_code: null,
  duration_ms: null,
  subject_type: null,
  subject_id: null,
  subject_name: null,
  user_id: null,
  group_ids: null,
  role_names: null,
  credential_id: null,
  agent_type: null,
  invocation_class: null,
  workspace_id: null,
  project_id: null,
  task_id: null,
  job_id: null,
  run_id: null,
  thread_id: null,
  origin: null,
  declared_origin: null,
  policy_version: null,
  catalogue_version: null,
  input_digest: null,
  output_digest: null,
  verdict: null,
  source: null,
  repeat_count: 1,
  note: null,
} as const;
