/** The audit entry of a call while it is being made: each step adds what it learned, the last one closes it. */
import type { Entry } from '../catalogue/catalogue.ts';
import { type AuditEntry, type AuditKind, auditEntry } from '../domain/governance/audit-record.ts';
import type { Caller } from '../kernel/caller.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { CallId } from '../kernel/ids.ts';
import type { Submission } from '../kernel/submission.ts';

export type Ending =
  | { readonly status: 'success' | 'suspended' }
  | { readonly status: 'error'; readonly code: ErrorCode };

/** A name or URI as the caller wrote it, short enough to keep. */
const MAX_NAME = 200;

export class AuditDraft {
  readonly #facts: Record<string, unknown> = {};
  readonly callId: CallId;
  readonly openedAt: number;
  readonly #kind: AuditKind;
  readonly #name: string;
  #decision: 'allow' | 'deny' = 'deny';
  #phase: AuditEntry['phase'] = 'single';

  constructor(callId: CallId, openedAt: number, kind: AuditKind, name: string, surface: string) {
    this.callId = callId;
    this.openedAt = openedAt;
    this.#kind = kind;
    this.#name = name.slice(0, MAX_NAME).toWellFormed().replaceAll('\0', '\uFFFD');
    this.#facts.surface = surface;
  }

  /** Whose credential it is; known before anything the call claims about itself is looked at. */
  holder({ principal, role, credential }: Pick<Caller, 'principal' | 'role' | 'credential'>): void {
    Object.assign(this.#facts, {
      subject_type: principal.kind,
      subject_id: principal.id,
      subject_name: principal.name,
      user_id: principal.kind === 'author' ? principal.id : null,
      role_names: JSON.stringify([role]),
      credential_id: credential,
    });
  }

  caller(caller: Caller): void {
    const { context } = caller;
    this.holder(caller);
    Object.assign(this.#facts, {
      declared_origin: caller.declaredOrigin ?? null,
      workspace_id: context.workspace ?? null,
      project_id: context.project ?? null,
      task_id: context.task ?? null,
      job_id: context.job ?? null,
      run_id: context.run,
      thread_id: context.thread ?? null,
    });
  }

  entry(entry: Entry): void {
    Object.assign(this.#facts, { tool_name: entry.name, family: entry.family, effect: entry.effect });
  }

  versions(policy: number, catalogue: string): void {
    Object.assign(this.#facts, { policy_version: policy, catalogue_version: catalogue });
  }

  /** From here on a failure is the call's own, not a refusal. */
  allowed(): void {
    this.#decision = 'allow';
  }

  /** Also where earlier gates said yes: what any of them refuses is refused. */
  refusedBy(gate: string): void {
    this.#decision = 'deny';
    this.#facts.gate = gate;
  }

  input(digest: string): void {
    this.#facts.input_digest = digest;
  }

  /** The call that asked for what this one answers. */
  resumes(call: CallId): void {
    this.#decision = 'allow';
    Object.assign(this.#facts, { parent_call_id: call, gate: null });
  }

  submission(submission: Submission): void {
    this.#facts.origin = submission.origin;
  }

  output(digest: string, verdict: string | null): void {
    Object.assign(this.#facts, { output_digest: digest, verdict });
  }

  /** The record that goes before an effect outside of Sluice; the one that closes the call then only ends it. */
  start(now: number): AuditEntry {
    const record = this.#record(now, { phase: 'started', status: 'started' });
    this.#phase = 'finished';
    return record;
  }

  close(ending: Ending, now: number): AuditEntry {
    return this.#record(now, {
      phase: this.#phase,
      status: ending.status,
      error_code: ending.status === 'error' ? ending.code : null,
      duration_ms: Math.max(0, now - this.openedAt),
    });
  }

  #record(now: number, ending: Pick<AuditEntry, 'phase' | 'status'> & Partial<AuditEntry>): AuditEntry {
    return auditEntry({
      created_at: now,
      call_id: this.callId,
      kind: this.#kind,
      surface: '',
      tool_name: this.#name,
      ...this.#facts,
      decision: this.#decision,
      ...ending,
    });
  }
}
