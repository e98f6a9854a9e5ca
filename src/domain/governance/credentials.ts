/**
 * Credentials: what is known of a token and what it grants. Tokens themselves are never kept: only their
 * digest is, and the owner's own in sealed form so that it can be shown again.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Principal, Surface } from '../../kernel/caller.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { invalidInput, SluiceError } from '../../kernel/errors.ts';
import type { CredentialId, PrincipalId, WorkspaceId } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { Origin } from '../../kernel/submission.ts';
import type { Role } from './roles.ts';
import type { ToolOffer } from './toolsets.ts';

export interface Credential {
  readonly id: CredentialId;
  readonly kind: 'owner' | 'client';
  readonly name: string;
  /** Hex SHA-256 of the token. */
  readonly tokenDigest: string;
  readonly role: string;
  /** Null = all of the role's. */
  readonly scopes: readonly Scope[] | null;
  /** Null = wherever the current workspace is. */
  readonly workspace: WorkspaceId | null;
  readonly origin: Origin;
  readonly nameForm: 'dotted' | 'underscore';
  /** Absent = everything its role gives. */
  readonly offer?: ToolOffer;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** What an accepted credential allows; the gateway makes a caller of it. */
export interface Grant {
  readonly credential: CredentialId;
  readonly principal: Principal;
  readonly role: string;
  readonly scopes: readonly Scope[] | null;
  readonly workspace: WorkspaceId | null;
  readonly origin: Origin;
  readonly nameForm: 'dotted' | 'underscore';
  readonly surface: Surface;
}

/** 256 bits from the system's generator, 64 hex characters. */
export const newToken = (): string => randomBytes(32).toString('hex');

export const tokenDigest = (token: string): string => sha256Hex(token);

/** The digest picks the record; comparing it again in constant time costs nothing and leaves no doubt. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a, 'hex'), Buffer.from(b, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

export type CredentialState = 'valid' | 'revoked' | 'expired';

export function stateOf(credential: Credential, now: number): CredentialState {
  if (credential.revokedAt !== null) return 'revoked';
  return credential.expiresAt !== null && credential.expiresAt <= now ? 'expired' : 'valid';
}

export function grantOf(credential: Credential, surface: Surface): Grant {
  return {
    credential: credential.id,
    principal: principalOf(credential),
    role: credential.role,
    scopes: credential.scopes,
    workspace: credential.workspace,
    origin: credential.origin,
    nameForm: credential.nameForm,
    surface,
  };
}

function principalOf(credential: Credential): Principal {
  if (credential.kind === 'owner') return OWNER;
  const kind = isPerson(credential) ? 'author' : 'client';
  return { kind, id: `${kind}:${credential.name}` as PrincipalId, name: credential.name };
}

export const OWNER: Principal = { kind: 'author', id: 'owner' as PrincipalId, name: 'owner' };

/** A token for a person's role whose writes may be authored speaks for a person, not for a program. */
export const isPerson = (credential: Pick<Credential, 'origin' | 'role'>): boolean =>
  credential.origin === 'authored' && ['owner', 'editor', 'reader'].includes(credential.role);

const RESERVED = ['owner', 'system', 'sluice'];

/** Records and histories show a caller by name, so no client has one that means somebody else. */
export function checkClientName(field: string, name: string): void {
  if (!RESERVED.includes(name.toLowerCase())) return;
  throw invalidInput(field, `must not be "${name}": ${RESERVED.join(', ')} are not names for clients`);
}

/** A token may narrow its role's scopes, never widen them. */
export function checkScopes(role: Role, scopes: readonly Scope[]): void {
  const excess = scopes.filter((scope) => !role.scopes.includes(scope));
  if (excess.length > 0) {
    throw new SluiceError(
      'invalid_input',
      `"scopes" holds ${excess.join(', ')}, which the role "${role.name}" lacks`,
      {
        field: 'scopes',
        allowed: role.scopes,
      },
    );
  }
}
