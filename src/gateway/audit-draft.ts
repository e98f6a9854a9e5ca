/** The audit entry of a call while it is being made: each step adds what it learned, the last one closes it. */
import type { EffectState } from '../catalogue/call-context.ts';
import type { Entry } from '../catalogue/catalogue.ts';
import { type AuditEntry, type AuditKind, auditEntry } from '../domain/governance/audit-record.ts';
import type { Caller } from '../kernel/caller.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import type { CallId } from '../kernel/ids.ts';
import type { Submission } from '../kernel/submission.ts';

export type Ending =
  | { readonly status: 'success' | 'suspended' }
  | { readonly status: 'error' | 'unconfirmed'; readonly code: ErrorCode };

/** What could be the name of something; ours for what has none, such as (session), included. */
const NAME = /^(?:[\w./-]{1,64}|\([A-Za-z]{1,16}\))$/;
const URI = /^(?=.{1,64}$)[a-z][a-z0-9+.-]*:[\w./-]*$/i;

/** As the caller wrote it, as long as it is only a name: what is wanted must not become a way into the record. */
function keptName(name: string): string {
  if (NAME.test(name)) return name;
  const [address = ''] = name.split(/[?#]/, 1);
  return URI.test(address) ? address : '(unknown)';
}

/** There are few roles, and each is written with every call. */
const roleNames = new Map<string, string>();

function namesOf(role: string): string {
  const known = roleNames.get(role);
  if (known !== undefined) return known;
  if (roleNames.size >= MAX_ROLES) roleNames.clear();
  const names = JSON.stringify([role]);
  roleNames.set(role, names);
  return names;
}

const MAX_ROLES = 1_000;

type Draft = { -readonly [Field in keyof AuditEntry]: AuditEntry[Field] };

export class AuditDraft {
  readonly #entry: Draft;
  readonly callId: CallId;
  readonly openedAt: number;
  #effect: EffectState | undefined;
  #sent: readonly string[] = [];

  constructor(callId: CallId, openedAt: number, kind: AuditKind, name: string, surface: string) {
    this.callId = callId;
    this.openedAt = openedAt;
    this.#entry = auditEntry({
      created_at: openedAt,
      call_id: callId,
      kind,
      surface,
      tool_name: keptName(name),
      decision: 'deny',
      status: 'error',
    });
  }

  /** Whose credential it is; known before anything the call claims about itself is looked at. */
  holder({ principal, role, credential }: Pick<Caller, 'principal' | 'role' | 'credential'>): void {
    const entry = this.#entry;
    entry.subject_type = principal.kind;
    entry.subject_id = principal.id;
    entry.subject_name = principal.name;
    entry.user_id = principal.kind === 'author' ? principal.id : null;
    entry.role_names = namesOf(role);
    entry.credential_id = credential;
  }

  caller(caller: Caller): void {
    if (this.#entry.credential_id !== caller.credential) this.holder(caller);
    const { context } = caller;
    const entry = this.#entry;
    entry.declared_origin = caller.declaredOrigin ?? null;
    entry.workspace_id = context.workspace ?? null;
    entry.project_id = context.project ?? null;
    entry.task_id = context.task ?? null;
    entry.job_id = context.job ?? null;
    entry.run_id = context.run;
    entry.thread_id = context.thread ?? null;
  }

  entry(entry: Entry): void {
    this.#entry.tool_name = entry.name;
    this.#entry.family = entry.family;
    this.#entry.server = entry.server;
    this.#entry.effect = entry.effect;
    this.#entry.note = entry.binding;
  }

  /** The call is another one than it was sent as; the record is of that one, and says how it was reached. */
  reachedBy(forwarder: string, name: string): void {
    this.#entry.tool_name = keptName(name);
    this.#entry.invocation_class = forwarder;
  }

  versions(policy: number, catalogue: string): void {
    this.#entry.policy_version = policy;
    this.#entry.catalogue_version = catalogue;
  }

  /** From here on a failure is the call's own, not a refusal. */
  allowed(): void {
    this.#entry.decision = 'allow';
  }

  /** Also where earlier gates said yes: what any of them refuses is refused. */
  refusedBy(gate: string): void {
    this.#entry.decision = 'deny';
    this.#entry.gate = gate;
  }

  input(digest: string): void {
    this.#entry.input_digest = digest;
  }

  /** The call that asked for what this one answers. */
  resumes(call: CallId): void {
    this.#entry.decision = 'allow';
    this.#entry.parent_call_id = call;
    this.#entry.gate = null;
  }

  submission(submission: Submission): void {
    this.#entry.origin = submission.origin;
  }

  output(digest: string, verdict: string | null): void {
    this.#entry.output_digest = digest;
    this.#entry.verdict = verdict;
  }

  /** What the firewall said of an answer that nobody gets. */
  verdict(verdict: string): void {
    this.#entry.verdict = verdict;
  }

  /** What of the caller's went along, by the firewall's rules; behind the verdict, whatever that will be. */
  sends(rules: readonly string[]): void {
    this.#sent = [...new Set([...this.#sent, ...rules])];
  }

  #verdict(): string | null {
    const { verdict } = this.#entry;
    return this.#sent.length === 0 ? verdict : `${verdict ?? 'NOT_EVALUATED'} sent:${this.#sent.join(',')}`;
  }

  /** How it stands outside of Sluice, as far as the handler says. */
  effect(state: EffectState): void {
    this.#effect = state;
  }

  /** Something may have been changed outside, and nobody knows. */
  get inDoubt(): boolean {
    const { effect } = this.#entry;
    return this.#effect === 'in_doubt' && effect !== 'read_only' && effect !== 'sensitive_read';
  }

  get effectState(): EffectState | undefined {
    return this.#effect;
  }

  /** The record that goes before an effect outside of Sluice; the one that closes the call then only ends it. */
  start(now: number): AuditEntry {
    const record: AuditEntry = { ...this.#entry, created_at: now, phase: 'started', status: 'started' };
    this.#entry.phase = 'finished';
    return record;
  }

  close(ending: Ending, now: number): AuditEntry {
    return {
      ...this.#entry,
      created_at: now,
      status: ending.status,
      error_code: 'code' in ending ? ending.code : null,
      duration_ms: Math.max(0, now - this.openedAt),
      verdict: this.#verdict(),
    };
  }
}
