/** The gateway as surfaces see it: admit a credential, call, list, and be told when something must stop. */
import type { Tool } from '../catalogue/tool-definition.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import { explainDecision, type GateAnswer } from '../domain/governance/decision.ts';
import type { Caller, Surface } from '../kernel/caller.ts';
import { asSluiceError, type ErrorCode, SluiceError } from '../kernel/errors.ts';
import type { CallId, CredentialId } from '../kernel/ids.ts';
import { faultFields } from '../kernel/log.ts';
import { AuditDraft } from './audit-draft.ts';
import { createCallsInFlight } from './calls-in-flight.ts';
import { dispatch } from './dispatch.ts';
import { followExpiry } from './follow-expiry.ts';
import { type ListedItems, type Listing, type ListPage, type ListRequest, list } from './list.ts';
import type { Gate, GatewayMeans } from './means.ts';
import { createMixedRuns } from './mixed-runs.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { recordRefused } from './record-refused.ts';
import { createRefusalFolder } from './refusal-folder.ts';
import type { CallRequest, Outcome, Presented } from './request.ts';

export type { Grant };

import { createRuns, type RecallRun } from './runs.ts';
import { acceptCredential } from './steps/authenticate.ts';
import { callerOf } from './steps/resolve-caller.ts';
import { visibleTools } from './visible-entries.ts';
import { watchAudit } from './watch-audit.ts';
import { createWatches, type Watch, type WatchRequest } from './watches.ts';

/** Something changed that open connections must follow at once. */
export type GatewayChange =
  | { readonly kind: 'switched'; readonly enabled: boolean }
  | { readonly kind: 'revoked'; readonly credential: CredentialId }
  | { readonly kind: 'policy' };

export interface Gateway {
  /** For surfaces that must refuse a connection before there is a call; rejects with `unauthenticated` and records it. */
  admit(presented: Presented, source: string): Grant | Promise<Grant>;
  call(request: CallRequest): Promise<Outcome>;
  /** Records a request that never became a call: malformed, too large, of an unknown method. */
  recordRefusal(presented: Presented, source: string, what: string, code: ErrorCode): Promise<void>;
  /** Records a request that was turned away before anybody knew whose it was; many of a kind are counted. */
  recordTurnedAway(surface: Surface, source: string, gate: string, code: ErrorCode): Promise<void>;
  list<What extends Listing>(what: What, request: ListRequest): Promise<ListPage<ListedItems[What]>>;
  /** Follows changes until it is closed; throws when the caller follows too much already. */
  watch(request: WatchRequest): Promise<Watch>;
  /** The catalogue changed: lists may look different. */
  listsChanged(): void;
  /** What a caller could call, for tools that tell it. */
  visibleTools(caller: Caller): readonly Tool[];
  /** Every gate's answer for a tool, prompt or resource by name; no answers when there is no such thing. */
  explain(
    grant: Grant,
    name: string,
  ): Promise<{ caller: Caller; answers: readonly GateAnswer[] | undefined }>;
  /**
   * False while calls cannot be recorded. After a failure the question itself is recorded, to find out whether
   * that works again: nobody else may come as long as the answer is no.
   */
  ready(surface: Surface, source: string): boolean | Promise<boolean>;
  /** False = the off switch is on. */
  enabled(): boolean;
  onChange(listener: (change: GatewayChange) => void): () => void;
  /** Lets calls under way finish for a while, then ends them. */
  close(graceMs: number): Promise<void>;
}

const SETTLE_EVERY_MS = 15_000;

export function createGateway(means: GatewayMeans, recallRun: RecallRun): Gateway {
  const audit = watchAudit(means.audit);
  const use: Gate = {
    ...means,
    audit,
    runs: createRuns(means.clock, means.limits.idleRunMs, recallRun),
    mixedRuns: createMixedRuns(means),
    rate: createRateLimiter(means.clock, means.limits),
    inFlight: createCallsInFlight(means.limits),
    refusals: createRefusalFolder((entry) => audit.append(entry)),
  };
  const watches = createWatches(use, (target, { grant, claims, source }) =>
    dispatch(use, { target, presented: { kind: 'grant', grant }, claims, source }),
  );
  const settling = setInterval(() => void settleRefusals(use), SETTLE_EVERY_MS).unref();
  const listeners = new Set<(change: GatewayChange) => void>();
  const stopFollowing = followGovernance(use, (change) => {
    for (const listener of listeners) listener(change);
    if (change.kind === 'policy') watches.look();
  });
  return {
    admit: (presented, source) => admit(use, presented, source),
    call: (request) => dispatch(use, request),
    recordRefusal: (presented, source, what, code) => recordRefusal(use, presented, source, what, code),
    recordTurnedAway: (surface, source, gate, code) => recordTurnedAway(use, surface, source, gate, code),
    list: (what, request) => list(use, what, request),
    watch: (request) => watches.open(request),
    listsChanged: () => watches.look(),
    visibleTools: (caller) => visibleTools(use, caller),
    async explain(grant, name) {
      // In a run of its own: asking about a caller must not keep that caller's run alive.
      const caller = await callerOf(use, grant, { run: 'explain' });
      const entry =
        use.catalogue.tool(name) ?? use.catalogue.prompt(name) ?? use.catalogue.resource(name)?.resource;
      return {
        caller,
        answers: entry && explainDecision(use.governance.current().policy, caller, entry).answers,
      };
    },
    ready: (surface, source) => audit.works || probe(use, surface, source),
    enabled: () => use.governance.current().policy.enabled,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close(graceMs) {
      stopFollowing();
      watches.close();
      clearInterval(settling);
      await idleOrLate(use, graceMs);
      use.inFlight.endAll(new SluiceError('unavailable', 'Sluice is shutting down'));
      await use.inFlight.idle();
      await use.refusals.flush();
    },
  };
}

async function probe(use: Gate, surface: Surface, source: string): Promise<boolean> {
  const draft = new AuditDraft(
    use.ids.next<CallId>(),
    use.clock.now(),
    'refused_source',
    '(health)',
    surface,
  );
  draft.refusedBy('store');
  try {
    use.audit.reserve();
    await use.audit.append({
      ...draft.close({ status: 'error', code: 'unavailable' }, use.clock.now()),
      source,
    });
    return true;
  } catch {
    // The answer says it; the store has logged why.
    return false;
  }
}

/** At once for a credential that is valid. */
function admit(use: Gate, presented: Presented, source: string): Grant | Promise<Grant> {
  try {
    return acceptCredential(use, presented);
  } catch (thrown) {
    return refuseCredential(use, presented, source, asSluiceError(thrown));
  }
}

async function refuseCredential(
  use: Gate,
  presented: Presented,
  source: string,
  error: SluiceError,
): Promise<never> {
  const surface = presented.kind === 'bearer' ? presented.surface : presented.grant.surface;
  await recordTurnedAway(use, surface, source, 'credential', error.code);
  throw error;
}

async function recordTurnedAway(
  use: Gate,
  surface: Surface,
  source: string,
  gate: string,
  code: ErrorCode,
): Promise<void> {
  const draft = new AuditDraft(
    use.ids.next<CallId>(),
    use.clock.now(),
    'refused_source',
    '(connect)',
    surface,
  );
  draft.refusedBy(gate);
  await use.refusals.note(draft.close({ status: 'error', code }, use.clock.now()), source);
}

async function recordRefusal(
  use: Gate,
  presented: Presented,
  source: string,
  what: string,
  code: ErrorCode,
): Promise<void> {
  use.audit.reserve();
  const surface = presented.kind === 'bearer' ? presented.surface : presented.grant.surface;
  const draft = new AuditDraft(use.ids.next<CallId>(), use.clock.now(), 'refused_request', what, surface);
  const caller = await callerOf(use, acceptCredential(use, presented), {});
  draft.caller(caller);
  draft.refusedBy('request');
  const record = draft.close({ status: 'error', code }, use.clock.now());
  await recordRefused(use, { ...record, source }, source);
}

/** Calls under way end with the right they were made with; connections hear of it. */
function followGovernance(use: Gate, tell: (change: GatewayChange) => void): () => void {
  const endRight = (credential: CredentialId): void => {
    use.inFlight.endCredential(credential);
    tell({ kind: 'revoked', credential });
  };
  const expiry = followExpiry(use, endRight);
  const stop = use.governance.onChange((now, before) => {
    expiry.look();
    for (const credential of now.credentials) {
      if (credential.revokedAt === null || before.credential(credential.id)?.revokedAt !== null) continue;
      endRight(credential.id);
    }
    if (now.policy.enabled !== before.policy.enabled) {
      if (!now.policy.enabled) use.inFlight.endAll(new SluiceError('disabled', 'Sluice was switched off'));
      tell({ kind: 'switched', enabled: now.policy.enabled });
    }
    use.inFlight.endForbidden();
    tell({ kind: 'policy' });
  });
  return () => {
    stop();
    expiry.stop();
  };
}

async function idleOrLate(use: Gate, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([use.inFlight.idle(), late]);
  clearTimeout(timer);
}

async function settleRefusals(use: Gate): Promise<void> {
  try {
    await use.refusals.settle(use.clock.now());
  } catch (error) {
    // The log is unwritable; every call says so already, and the counts stay for the next time.
    use.log.warn('refusals_not_recorded', faultFields(error));
  }
}
