import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../kernel/ids.ts';
import {
  type Credential,
  checkScopes,
  grantOf,
  newToken,
  sameDigest,
  stateOf,
  tokenDigest,
} from './credentials.ts';

const credential = (wish: Partial<Credential> = {}): Credential => ({
  id: 'c1' as CredentialId,
  kind: 'client',
  name: 'ann',
  tokenDigest: tokenDigest('t'),
  role: 'client',
  scopes: null,
  workspace: null,
  origin: 'agent-produced',
  nameForm: 'dotted',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  ...wish,
});

describe('[POL-11] a token', () => {
  it('is 64 hex characters, never twice the same', () => {
    const tokens = Array.from({ length: 200 }, newToken);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('is kept as its digest', () => {
    const token = newToken();
    expect(tokenDigest(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(tokenDigest(token)).not.toBe(token);
    expect(sameDigest(tokenDigest(token), tokenDigest(token))).toBe(true);
    expect(sameDigest(tokenDigest(token), tokenDigest(newToken()))).toBe(false);
    expect(sameDigest(tokenDigest(token), '')).toBe(false);
    expect(sameDigest(tokenDigest(token), 'zz')).toBe(false);
  });

  it.each<[string, Partial<Credential>, number, string]>([
    ['before it expires', { expiresAt: 100 }, 99, 'valid'],
    ['when it expires', { expiresAt: 100 }, 100, 'expired'],
    ['without an end', {}, Number.MAX_SAFE_INTEGER, 'valid'],
    ['revoked', { revokedAt: 5 }, 6, 'revoked'],
    ['revoked and expired', { revokedAt: 5, expiresAt: 4 }, 6, 'revoked'],
    ['revoked by a clock that is ahead', { revokedAt: 50 }, 6, 'revoked'],
  ])('%s', (_, wish, now, state) => expect(stateOf(credential(wish), now)).toBe(state));
});

describe('[POL-12] the scopes of a token', () => {
  const role = {
    name: 'client',
    tools: [],
    scopes: ['workspace.read', 'memory.read'],
    reach: 'both',
    version: 1,
  } as const;

  it('may be fewer than the role’s', () => {
    expect(() => checkScopes(role, [])).not.toThrow();
    expect(() => checkScopes(role, ['workspace.read'])).not.toThrow();
    expect(() => checkScopes(role, [...role.scopes])).not.toThrow();
  });

  it('are never more', () => {
    expect(() => checkScopes(role, ['workspace.read', 'workspace.write', 'review'])).toThrow(
      '"scopes" holds workspace.write, review, which the role "client" lacks',
    );
  });
});

describe('[POL-13] a grant', () => {
  it.each<[Partial<Credential>, string]>([
    [{}, 'client'],
    [{ role: 'editor' }, 'client'],
    [{ role: 'editor', origin: 'authored' }, 'author'],
    [{ role: 'reader', origin: 'authored' }, 'author'],
    [{ role: 'client', origin: 'authored' }, 'client'],
    [{ role: 'agent', origin: 'authored' }, 'client'],
  ])('of %o speaks for %s', (wish, kind) => {
    const { principal } = grantOf(credential(wish), 'mcp-http');
    expect(principal).toEqual({ kind, id: `${kind}:ann`, name: 'ann' });
  });

  it('of the owner is the owner, and says nothing of the token', () => {
    const grant = grantOf(credential({ kind: 'owner', role: 'owner', origin: 'authored' }), 'mcp-http');
    expect(grant.principal).toEqual({ kind: 'author', id: 'owner', name: 'owner' });
    expect(JSON.stringify(grant)).not.toContain(tokenDigest('t'));
  });
});
