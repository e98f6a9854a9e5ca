/** What an authorization server says of itself (RFC 8414, OpenID Connect discovery). */
import { OAuthFailure } from '../../../domain/providers/ports/oauth-client.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { placeOf, type Surroundings } from './surroundings.ts';

export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly authMethods: readonly string[];
  readonly scopes: readonly string[];
  /** It names itself in what it sends to the redirect address (RFC 9207). */
  readonly namesItself: boolean;
  /** It fetches a document of ours instead of registering us. */
  readonly fetchesClients: boolean;
}

export async function findServer(around: Surroundings, issuer: string): Promise<AuthorizationServer> {
  const { url } = placeOf(issuer, around, 'discovery', 'the authorization server');
  for (const text of wellKnown(url)) {
    const place = placeOf(text, around, 'discovery', 'the authorization server');
    const { status, json } = await guardedFetch(place, { step: 'discovery' });
    if (status === 200 && json) return readServer(around, issuer, json);
  }
  throw new OAuthFailure('discovery', `${url.origin} has no metadata of an authorization server`);
}

function wellKnown({ origin, pathname }: URL): readonly string[] {
  const path = pathname.replace(/\/$/, '');
  const names = ['oauth-authorization-server', 'openid-configuration'].map((name) => `/.well-known/${name}`);
  const [oauth = '', openid = ''] = names;
  const places = path === '' ? [oauth, openid] : [oauth + path, openid + path, path + openid];
  return places.map((place) => origin + place);
}

function readServer(
  around: Surroundings,
  issuer: string,
  json: Readonly<Record<string, unknown>>,
): AuthorizationServer {
  // Letter by letter: two that are alike may be two.
  if (json.issuer !== issuer)
    throw new OAuthFailure('discovery', 'the metadata is of another authorization server');
  if (!texts(json.code_challenge_methods_supported).includes('S256'))
    throw new OAuthFailure(
      'discovery',
      'the authorization server does not say that it checks PKCE with S256',
    );
  const at = (name: string): string => {
    placeOf(json[name], around, 'discovery', `"${name}" of the authorization server`);
    return String(json[name]);
  };
  return {
    issuer,
    authorizationEndpoint: at('authorization_endpoint'),
    tokenEndpoint: at('token_endpoint'),
    registrationEndpoint: json.registration_endpoint === undefined ? undefined : at('registration_endpoint'),
    authMethods: texts(json.token_endpoint_auth_methods_supported),
    scopes: texts(json.scopes_supported),
    namesItself: json.authorization_response_iss_parameter_supported === true,
    fetchesClients: json.client_id_metadata_document_supported === true,
  };
}

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
