/** Step 3: from the grant to the caller, with the context it is bound to. Claims may narrow it, never widen it. */

import type { Grant } from '../../domain/governance/credentials.ts';
import type { Policy } from '../../domain/governance/decision.ts';
import type { Caller, CallerContext } from '../../kernel/caller.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { RunId, ThreadId, WorkspaceId } from '../../kernel/ids.ts';
import { expandScopes } from '../../kernel/scopes.ts';
import { ORIGINS, type Origin } from '../../kernel/submission.ts';
import { checkClaim } from '../claims.ts';
import type { Gate } from '../means.ts';
import type { CallClaims } from '../request.ts';
import { type Authenticated, learn, type Resolved } from '../stages.ts';

/** At once where the run is known; only a client that was away for long is looked up. */
export function resolveCaller(use: Gate, authenticated: Authenticated): Resolved | Promise<Resolved> {
  const { grant, request } = authenticated;
  const caller = callerOf(use, grant, request.claims);
  if (caller instanceof Promise) return caller.then((found) => resolved(use, authenticated, found));
  return resolved(use, authenticated, caller);
}

function resolved(use: Gate, authenticated: Authenticated, caller: Caller): Resolved {
  const { draft } = authenticated;
  draft.caller(caller);
  draft.versions(use.governance.current().policy.version, use.catalogue.version);
  return learn(authenticated, 'caller', caller);
}

export function callerOf(use: Gate, grant: Grant, claims: CallClaims): Caller | Promise<Caller> {
  const declaredOrigin = readOrigin(claims.origin);
  const workspace = workspaceOf(use, grant, claims);
  const run = use.runs.resolve(grant.principal.id, claims);
  return run instanceof Promise
    ? run.then((found) => callerIn(use, grant, claims, declaredOrigin, workspace, found))
    : callerIn(use, grant, claims, declaredOrigin, workspace, run);
}

function callerIn(
  use: Gate,
  grant: Grant,
  claims: CallClaims,
  declaredOrigin: Origin | undefined,
  workspace: WorkspaceId | undefined,
  run: RunId,
): Caller {
  const context: CallerContext = {
    run,
    ...(workspace && { workspace }),
    ...(claims.thread !== undefined && { thread: checkClaim('thread', claims.thread) as ThreadId }),
  };
  return {
    surface: grant.surface,
    principal: grant.principal,
    credential: grant.credential,
    role: grant.role,
    ...reachOf(use.governance.current().policy, grant),
    allowedOrigin: grant.origin,
    ...(declaredOrigin && { declaredOrigin }),
    context,
  };
}

type RoleReach = Pick<Caller, 'scopes' | 'reach' | 'offer'>;

/** Worked out once for each policy and grant. */
const reaches = new WeakMap<Policy, WeakMap<Grant, RoleReach>>();

/** What the role gives under this policy, narrowed by the credential and what that is offered. */
export function reachOf(policy: Policy, grant: Grant): RoleReach {
  let known = reaches.get(policy);
  if (!known) {
    known = new WeakMap();
    reaches.set(policy, known);
  }
  const found = known.get(grant);
  if (found) return found;
  const role = policy.roles.get(grant.role);
  const held = (role?.scopes ?? []).filter((scope) => grant.scopes === null || grant.scopes.includes(scope));
  const offer = policy.offers?.get(grant.credential);
  const reach: RoleReach = {
    scopes: expandScopes(held),
    reach: role?.reach ?? 'orchestrator',
    ...(offer && { offer }),
  };
  known.set(grant, reach);
  return reach;
}

export function workspaceOf(use: Gate, grant: Grant, claims: CallClaims): WorkspaceId | undefined {
  if (grant.workspace === null && claims.workspace === undefined) return use.workspaces.current()?.id;
  const found = use.workspaces.find(grant.workspace ?? claims.workspace ?? '');
  return found?.open ? found.id : undefined;
}

function readOrigin(claim: string | undefined): Origin | undefined {
  if (claim === undefined) return undefined;
  const origin = ORIGINS.find((known) => known === claim);
  if (!origin)
    throw new SluiceError('invalid_request', `The declared origin must be one of ${ORIGINS.join(', ')}`);
  return origin;
}
