/** Step 2: who presents what. A grant accepted earlier is looked up again, so that a revoked one is void at once. */
import {
  type Credential,
  type Grant,
  grantOf,
  sameDigest,
  stateOf,
  tokenDigest,
} from '../../domain/governance/credentials.ts';
import type { GovernanceState } from '../../domain/governance/governance-state.ts';
import type { Surface } from '../../kernel/caller.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { Presented } from '../request.ts';
import { type Authenticated, learn, type Opened } from '../stages.ts';

interface Means {
  readonly governance: GovernanceState;
  readonly clock: Clock;
}

export function authenticate(use: Means, opened: Opened): Authenticated {
  const grant = acceptCredential(use, opened.request.presented);
  opened.draft.holder(grant);
  return learn(opened, 'grant', grant);
}

export function acceptCredential(use: Means, presented: Presented): Grant {
  const governance = use.governance.current();
  if (presented.kind === 'grant') {
    // A grant without a stored credential was made in this process, for its own socket or caller.
    const stored = governance.credential(presented.grant.credential);
    if (stored && stateOf(stored, use.clock.now()) !== 'valid') throw unauthenticated();
    return presented.grant;
  }
  const digest = tokenDigest(presented.token);
  const credential = governance.byDigest(digest);
  if (!credential || !sameDigest(credential.tokenDigest, digest)) throw unauthenticated();
  if (stateOf(credential, use.clock.now()) !== 'valid') throw unauthenticated();
  return knownGrant(credential, presented.surface);
}

/** The same for the same credential, which is another object after every change of it. */
function knownGrant(credential: Credential, surface: Surface): Grant {
  let known = grants.get(credential);
  if (known?.surface !== surface) {
    known = grantOf(credential, surface);
    grants.set(credential, known);
  }
  return known;
}

const grants = new WeakMap<Credential, Grant>();

/** One message for every reason: who has no valid credential learns nothing. */
const unauthenticated = (): SluiceError =>
  new SluiceError('unauthenticated', 'A valid credential is required for this call');
