/** A place for one credential: one that all callers share, or one that a single caller has. */
import { invalidInput } from '../../../kernel/errors.ts';

export type CredentialKind = 'secret' | 'oauth';

/** What may be shown of a credential that an authorization server gave. */
export interface OAuthFacts {
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  readonly renewable: boolean;
}

export interface CredentialSlot {
  readonly ref: string;
  /** Null for the one that is shared. */
  readonly user: string | null;
  readonly kind: CredentialKind;
  /** Opened only while it is sent. */
  readonly sealed: string;
  readonly facts: OAuthFacts | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type SlotKey = Pick<CredentialSlot, 'ref' | 'user'>;

/** Sealed in, so that what is kept in one slot opens in no other. */
export const slotPurpose = ({ ref, user }: SlotKey): string => `credential ${ref} ${user ?? ''}`;

const MAX_SECRET = 16_384;

/** What no header and no variable could carry is refused when it comes in, not when it is first sent. */
export function checkSecret(secret: string): string {
  if (secret === '') throw invalidInput('value', 'must not be empty');
  if (secret.length > MAX_SECRET) throw invalidInput('value', `must have at most ${MAX_SECRET} characters`);
  if (!/^[\x20-\x7e]+$/.test(secret))
    throw invalidInput('value', 'must be one line of printable ASCII characters');
  return secret;
}

const USER = /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$/;

export function checkUser(user: string): string {
  if (USER.test(user)) return user;
  throw invalidInput('user', 'must be the name of a client, or owner');
}
