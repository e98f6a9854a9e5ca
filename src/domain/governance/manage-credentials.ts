/** Issuing and revoking credentials. A token is in the answer of the call that made it and nowhere else. */
import { SluiceError } from '../../kernel/errors.ts';
import type { CredentialId, IdSource, WorkspaceId } from '../../kernel/ids.ts';
import type { KeyRing, SecretBox } from '../../kernel/ports/secret-box.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { SealedThings } from '../../kernel/sealed-things.ts';
import type { Origin } from '../../kernel/submission.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { isAllowedSomething } from './access-rules.ts';
import {
  type Credential,
  checkClientName,
  checkScopes,
  isPerson,
  newToken,
  stateOf,
  tokenDigest,
} from './credentials.ts';
import type { Policy } from './decision.ts';
import { type GovernanceState, OWNER_TOKEN_SETTING } from './governance-state.ts';
import type { GovernanceStore } from './governance-store.ts';
import { requireToolset } from './manage-toolsets.ts';
import type { ToolOffer } from './toolsets.ts';

export interface CredentialMeans {
  readonly state: GovernanceState;
  readonly store: GovernanceStore;
  readonly ids: IdSource;
  readonly secrets: SecretBox;
}

export interface ClientRequest {
  readonly name: string;
  readonly role: string;
  readonly scopes: readonly Scope[] | null;
  readonly workspace: WorkspaceId | null;
  readonly origin: Origin;
  readonly nameForm: 'dotted' | 'underscore';
  readonly offer?: ToolOffer;
  readonly expiresAt: number | null;
}

export async function addClient(
  use: CredentialMeans,
  ticket: WriteTicket,
  request: ClientRequest,
): Promise<{
  readonly credential: Credential;
  readonly token: string;
  readonly warnings: readonly string[];
}> {
  const { tx, submission } = requireTicket(ticket, 'credential', 'land');
  checkClientName('name', request.name);
  const governance = await use.state.within(tx);
  const { policy, credentials } = governance;
  const role = policy.roles.get(request.role);
  if (!role) {
    throw new SluiceError('invalid_input', `"role" must be one of ${[...policy.roles.keys()].join(', ')}`, {
      field: 'role',
    });
  }
  if (request.offer?.toolset) requireToolset(governance, request.offer.toolset);
  if (request.scopes) checkScopes(role, request.scopes);
  if (request.expiresAt !== null && request.expiresAt <= submission.at) {
    throw new SluiceError('invalid_input', '"expires" must lie in the future', { field: 'expires' });
  }
  const namesakes = credentials.filter((known) => known.name === request.name && known.revokedAt === null);
  if (namesakes.some((known) => stateOf(known, submission.at) === 'valid')) {
    throw new SluiceError(
      'conflict',
      `There is a client "${request.name}" already; revoke it or take another name`,
      {
        reason: 'exists',
      },
    );
  }
  // One that has expired gives its name up for good, so that a name means one token.
  for (const expired of namesakes) await use.store.revokeCredential(tx, expired.id, submission.at);
  const token = newToken();
  const credential: Credential = {
    ...request,
    id: use.ids.next<CredentialId>(),
    kind: 'client',
    tokenDigest: tokenDigest(token),
    createdAt: submission.at,
    revokedAt: null,
  };
  await use.store.addCredential(tx, credential);
  tx.afterCommit(() => use.state.refresh());
  return { credential, token, warnings: withoutRule(policy, credential) };
}

/** A token that opens nothing is worth a word before somebody pastes it somewhere. */
function withoutRule({ rules }: Policy, credential: Credential): readonly string[] {
  const { name, role } = credential;
  if (isPerson(credential) || isAllowedSomething(rules, name, role)) return [];
  return [
    `No rule allows the role "${role}" anything, so "${name}" sees no tools: "sluice policy allow role:${role} PATTERN" lets it use some`,
  ];
}

export async function revokeClient(
  use: CredentialMeans,
  ticket: WriteTicket,
  name: string,
): Promise<Credential> {
  const { tx, submission } = requireTicket(ticket, 'credential', 'land');
  const { credentials } = await use.state.within(tx);
  const found = credentials.find(
    (known) => known.kind === 'client' && known.name === name && known.revokedAt === null,
  );
  if (!found) throw new SluiceError('not_found', `There is no client "${name}"`, { field: 'name' });
  await use.store.revokeCredential(tx, found.id, submission.at);
  tx.afterCommit(() => use.state.refresh());
  return { ...found, revokedAt: submission.at };
}

/** Makes a new owner's token; the one before it is void at once. */
export async function rotateOwnerToken(use: CredentialMeans, ticket: WriteTicket): Promise<string> {
  const { tx, submission } = requireTicket(ticket, 'credential', 'land');
  for (const old of (await use.state.within(tx)).credentials) {
    if (old.kind === 'owner' && old.revokedAt === null)
      await use.store.revokeCredential(tx, old.id, submission.at);
  }
  const token = newToken();
  await use.store.addCredential(tx, {
    id: use.ids.next<CredentialId>(),
    kind: 'owner',
    name: 'owner',
    tokenDigest: tokenDigest(token),
    role: 'owner',
    scopes: null,
    workspace: null,
    origin: 'authored',
    nameForm: 'dotted',
    createdAt: submission.at,
    expiresAt: null,
    revokedAt: null,
  });
  await use.store.putSetting(tx, OWNER_TOKEN_SETTING, use.secrets.seal(token, OWNER_TOKEN_SETTING));
  tx.afterCommit(() => use.state.refresh());
  return token;
}

export function revealOwnerToken(use: Pick<CredentialMeans, 'state' | 'secrets'>): string {
  const sealed = use.state.current().sealedOwnerToken;
  if (sealed === undefined) {
    throw new SluiceError('not_found', 'There is no owner token yet; "sluice token rotate" makes one');
  }
  return use.secrets.open(sealed, OWNER_TOKEN_SETTING);
}

/** The owner's token, for when the master key is exchanged. */
export const sealedOwnerToken = (
  use: Pick<CredentialMeans, 'state' | 'store'> & { readonly secrets: Pick<KeyRing, 'reseal'> },
): SealedThings => ({
  what: 'owner_token',
  async reseal({ tx }) {
    const before = (await use.state.within(tx)).sealedOwnerToken;
    const sealed = before && use.secrets.reseal(before, OWNER_TOKEN_SETTING);
    if (sealed === before) return 0;
    await use.store.putSetting(tx, OWNER_TOKEN_SETTING, sealed);
    tx.afterCommit(() => use.state.refresh());
    return 1;
  },
});
