/** What servers asked for in vain, so that the next consent is for exactly that. */
import type { Challenge } from '../ports/custody-desk.ts';

export interface Challenges {
  note(provider: string, user: string | null, challenge: Challenge): void;
  last(provider: string, user: string | null): Challenge | undefined;
}

const MAX_SCOPES = 64;
/** As RFC 6749 has them; whatever else a server writes is not passed on. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

export const scopesIn = (text: string | undefined): readonly string[] =>
  [...new Set(text?.split(' ').filter((one) => SCOPE.test(one)))].slice(0, MAX_SCOPES);

export function createChallenges(): Challenges {
  const seen = new Map<string, Challenge>();
  const key = (provider: string, user: string | null): string => `${provider} ${user ?? ''}`;
  return {
    note(provider, user, challenge) {
      const before = seen.get(key(provider, user));
      // Wants that nobody has met yet add up; the server says again what it needs at all.
      const unmet = challenge.status === 403 && before?.status === 403 ? scopesIn(before.scope) : [];
      const scope = challenge.scope && [...new Set([...unmet, ...scopesIn(challenge.scope)])].join(' ');
      seen.set(key(provider, user), { ...challenge, scope });
    },
    last: (provider, user) => seen.get(key(provider, user)),
  };
}
