/** Grants for callers who need no token: the owner at the machine, the system itself, and programs over stdio. */
import {
  type Credential,
  checkClientName,
  type Grant,
  grantOf,
  OWNER,
  stateOf,
} from '../domain/governance/credentials.ts';
import type { Governance } from '../domain/governance/governance-state.ts';
import type { Surface } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CredentialId, PrincipalId } from '../kernel/ids.ts';

/** Whoever can open the admin socket can read every file of the home; it is the owner. */
export const ownerGrant = (surface: Surface): Grant => ({
  credential: `local:${surface}` as CredentialId,
  principal: OWNER,
  role: 'owner',
  scopes: null,
  workspace: null,
  origin: 'authored',
  nameForm: 'dotted',
  surface,
});

/** For what Sluice does by itself, at its first start for example. */
export const systemGrant = (): Grant => ({
  ...ownerGrant('admin'),
  credential: 'local:system' as CredentialId,
  principal: { kind: 'system', id: 'system' as PrincipalId, name: 'sluice' },
});

/** A client by name: as it was registered, or with a client's defaults if it never was. */
export function clientGrant(governance: Governance, name: string, now: number, surface: Surface): Grant {
  const known = governance.credentials.filter(
    (credential) => credential.kind === 'client' && credential.name === name,
  );
  const valid = known.find((credential) => stateOf(credential, now) === 'valid');
  if (valid) return grantOf(valid, surface);
  if (known.length > 0)
    throw new SluiceError('unauthenticated', `The client "${name}" was revoked or has expired`);
  return grantOf(unregistered(name), surface);
}

/** By the same rules as a registered one, so that the two cannot drift apart. */
function unregistered(name: string): Credential {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/.test(name)) {
    throw new SluiceError('invalid_input', '"client" must be 1 to 64 letters, digits, _ . @ or -', {
      field: 'client',
    });
  }
  checkClientName('client', name);
  return {
    id: `stdio:${name}` as CredentialId,
    kind: 'client',
    name,
    tokenDigest: '',
    role: 'client',
    scopes: null,
    workspace: null,
    origin: 'agent-produced',
    nameForm: 'dotted',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
  };
}
