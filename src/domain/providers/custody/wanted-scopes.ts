/** Scopes that servers asked for in vain, so that the next consent covers them as well. */
export interface WantedScopes {
  /** Answers all of them, as one text. */
  note(provider: string, user: string | null, scope: string | undefined): string;
  of(provider: string, user: string | null): readonly string[];
}

const MAX_SCOPES = 64;
/** As RFC 6749 has them; whatever else a server writes is not passed on. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

const scopesIn = (text: string | undefined): readonly string[] =>
  [...new Set(text?.split(' ').filter((one) => SCOPE.test(one)))].slice(0, MAX_SCOPES);

export function createWantedScopes(): WantedScopes {
  const wanted = new Map<string, readonly string[]>();
  const key = (provider: string, user: string | null): string => `${provider} ${user ?? ''}`;
  const of = (provider: string, user: string | null): readonly string[] =>
    wanted.get(key(provider, user)) ?? [];
  return {
    of,
    note(provider, user, scope) {
      const all = [...new Set([...of(provider, user), ...scopesIn(scope)])].slice(0, MAX_SCOPES);
      wanted.set(key(provider, user), all);
      return all.join(' ');
    },
  };
}
