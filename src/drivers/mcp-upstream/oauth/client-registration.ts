/** How we become known to an authorization server: by hand, by a document it fetches, or by asking it (RFC 7591). */
import {
  type ConnectWish,
  OAuthFailure,
  type OAuthRegistration,
} from '../../../domain/providers/ports/oauth-client.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { AuthorizationServer } from './server-metadata.ts';
import { placeOf, type Surroundings } from './surroundings.ts';

export async function registrationAt(
  around: Surroundings,
  server: AuthorizationServer,
  wish: ConnectWish,
  scopes: readonly string[],
): Promise<OAuthRegistration> {
  const { clientId, clientSecret, known } = wish;
  const hosted = clientId?.startsWith('https://') === true;
  if (clientId !== undefined && (!hosted || server.fetchesClients))
    return asGiven(server, clientId, clientSecret ?? null);
  // Registered by hand some time ago, with this very server.
  if (clientId === undefined && known?.issuer === server.issuer && server.registrationEndpoint === undefined)
    return known;
  if (server.registrationEndpoint === undefined)
    throw new OAuthFailure(
      'registration',
      `${server.issuer} registers nobody by itself; register Sluice there and give --client-id`,
    );
  return register(around, server, server.registrationEndpoint, wish.redirectUri, scopes);
}

const asGiven = (
  { issuer, authMethods }: AuthorizationServer,
  clientId: string,
  clientSecret: string | null,
): OAuthRegistration => ({
  issuer,
  clientId,
  clientSecret,
  authMethod: clientSecret === null ? 'none' : secretMethod(authMethods),
});

/** What a server is silent about is the basic one. */
const secretMethod = (methods: readonly string[]): 'client_secret_basic' | 'client_secret_post' =>
  methods.length > 0 && !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? 'client_secret_post'
    : 'client_secret_basic';

async function register(
  around: Surroundings,
  server: AuthorizationServer,
  endpoint: string,
  redirectUri: string,
  scopes: readonly string[],
): Promise<OAuthRegistration> {
  const { authMethods, issuer } = server;
  const method =
    authMethods.length === 0 || authMethods.includes('none') ? 'none' : secretMethod(authMethods);
  const place = placeOf(endpoint, around, 'registration', 'the registration endpoint');
  const { status, json } = await guardedFetch(place, {
    step: 'registration',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Sluice',
      application_type: 'native',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    }),
  });
  const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: given } = json ?? {};
  if ((status !== 200 && status !== 201) || typeof clientId !== 'string')
    throw new OAuthFailure('registration', `${issuer} did not register us (${status})`, true);
  const clientSecret = typeof secret === 'string' && secret !== '' ? secret : null;
  return { issuer, clientId, clientSecret, authMethod: methodGiven(given, method, clientSecret) };
}

function methodGiven(
  given: unknown,
  asked: OAuthRegistration['authMethod'],
  secret: string | null,
): OAuthRegistration['authMethod'] {
  if (secret === null) return 'none';
  if (given === 'client_secret_post' || given === 'client_secret_basic' || given === 'none') return given;
  return asked === 'none' ? 'client_secret_basic' : asked;
}
