/** OAuth 2.1 towards the authorization servers of providers: a code with PKCE for exactly one resource, and renewals. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { scopesIn } from '../../../domain/providers/custody/challenges.ts';
import {
  type OAuthClient,
  OAuthFailure,
  type OAuthFlow,
} from '../../../domain/providers/ports/oauth-client.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { registrationAt } from './client-registration.ts';
import { askForChallenge, findResource } from './resource-metadata.ts';
import { type AuthorizationServer, findServer } from './server-metadata.ts';
import { surroundingsOf } from './surroundings.ts';
import { askForTokens } from './token-endpoint.ts';

export function createOAuthClient({ clock }: { readonly clock: Clock }): OAuthClient {
  return {
    async begin({ transport }, wish) {
      const around = surroundingsOf(transport);
      const challenge = wish.challenge ?? (await askForChallenge(around));
      const protectedBy = await findResource(around, challenge);
      const server = await findServer(around, protectedBy.issuer);
      const scopes = scopesFor(challenge.scope, protectedBy.scopes, wish.scopes, server);
      const registration = await registrationAt(around, server, wish, scopes);
      return startFlow(server, { resource: protectedBy.resource, scopes, registration }, wish.redirectUri);
    },
    async finish({ transport }, flow, answer) {
      const code = checkAnswer(flow, answer);
      const { registration, tokenEndpoint, resource, scopes, redirectUri, verifier } = flow;
      const kept = { registration, tokenEndpoint, resource, scopes, refreshToken: null };
      const wish = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      };
      return askForTokens(surroundingsOf(transport), kept, wish, clock.now());
    },
    refresh({ transport }, grant) {
      const wish = { grant_type: 'refresh_token', refresh_token: grant.refreshToken ?? '' };
      return askForTokens(surroundingsOf(transport), grant, wish, clock.now());
    },
  };
}

/** What is asked for by name counts more than what there is; a token that can be renewed is asked for where it can be had. */
function scopesFor(
  challenged: string | undefined,
  supported: readonly string[],
  further: readonly string[],
  server: AuthorizationServer,
): readonly string[] {
  const wanted = challenged === undefined ? supported : scopesIn(challenged);
  const all = new Set([...wanted, ...further]);
  if (all.size > 0 && server.scopes.includes('offline_access')) all.add('offline_access');
  return [...all];
}

const random = (): string => randomBytes(32).toString('base64url');

function startFlow(
  server: AuthorizationServer,
  about: Pick<OAuthFlow, 'resource' | 'scopes' | 'registration'>,
  redirectUri: string,
): OAuthFlow {
  const [state, verifier] = [random(), random()];
  const url = new URL(server.authorizationEndpoint);
  const parameters = {
    response_type: 'code',
    client_id: about.registration.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: about.resource,
    ...(about.scopes.length > 0 && { scope: about.scopes.join(' ') }),
    ...(about.scopes.includes('offline_access') && { prompt: 'consent' }),
  };
  // In the place of whatever the address says of them itself.
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return {
    ...about,
    authorizationUrl: url.href,
    issuer: server.issuer,
    namesItself: server.namesItself,
    tokenEndpoint: server.tokenEndpoint,
    redirectUri,
    state,
    verifier,
  };
}

/** Only the answer to this question, of the server that was asked. */
function checkAnswer(flow: OAuthFlow, answer: Readonly<Record<string, string>>): string {
  const refused = (why: string): OAuthFailure => new OAuthFailure('authorization', why, true);
  if (!same(answer.state, flow.state)) throw refused('the answer is not to our question (state)');
  if (answer.iss === undefined ? flow.namesItself : answer.iss !== flow.issuer)
    throw refused('the answer is not of the server that was asked (iss)');
  if (answer.error !== undefined)
    throw refused(
      /^[a-z_]{1,60}$/.test(answer.error) ? `it was refused (${answer.error})` : 'it was refused',
    );
  if (answer.code === undefined || answer.code === '') throw refused('the answer has no code');
  return answer.code;
}

function same(given: string | undefined, wanted: string): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
