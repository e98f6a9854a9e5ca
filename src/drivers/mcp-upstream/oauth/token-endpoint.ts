/** Tokens for a code or for an older token, from the one authorization server that they belong to. */
import {
  OAuthFailure,
  type OAuthGrant,
  type OAuthRegistration,
} from '../../../domain/providers/ports/oauth-client.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { placeOf, type Surroundings } from './surroundings.ts';

type Kept = Pick<OAuthGrant, 'registration' | 'tokenEndpoint' | 'resource' | 'scopes' | 'refreshToken'>;

/** `kept` is what stays as it is unless the answer says otherwise: a refresh token above all. */
export async function askForTokens(
  around: Surroundings,
  kept: Kept,
  wish: Readonly<Record<string, string>>,
  now: number,
): Promise<OAuthGrant> {
  const { registration, tokenEndpoint, resource } = kept;
  const place = placeOf(tokenEndpoint, around, 'token', 'the token endpoint');
  const form = new URLSearchParams({ ...wish, resource, ...inForm(registration) });
  const { status, json } = await guardedFetch(place, {
    step: 'token',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...inHeader(registration) },
    body: form.toString(),
  });
  if (status !== 200 || !json)
    throw new OAuthFailure(
      'token',
      `${registration.issuer} gave no token (${errorOf(status, json)})`,
      status < 500,
    );
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken, scope } = json;
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(accessToken))
    throw new OAuthFailure('token', `${registration.issuer} answered without a token that can be sent`, true);
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw new OAuthFailure('token', `${registration.issuer} gave a token that is no bearer token`, true);
  return {
    registration,
    tokenEndpoint,
    resource,
    accessToken,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : kept.refreshToken,
    scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : kept.scopes,
    expiresAt: expiryOf(json.expires_in, now),
  };
}

/** The code alone: descriptions are somebody else's words. */
const errorOf = (status: number, json: Readonly<Record<string, unknown>> | undefined): string =>
  typeof json?.error === 'string' && /^[a-z_]{1,60}$/.test(json.error) ? json.error : String(status);

const MAX_SECONDS = 10 * 365 * 86_400;

function expiryOf(seconds: unknown, now: number): number | null {
  const value = Number(seconds);
  return seconds === undefined || !Number.isFinite(value) || value < 0
    ? null
    : now + Math.min(value, MAX_SECONDS) * 1_000;
}

function inForm({ clientId, clientSecret, authMethod }: OAuthRegistration): Record<string, string> {
  if (authMethod === 'client_secret_basic') return {};
  return {
    client_id: clientId,
    ...(authMethod === 'client_secret_post' && clientSecret !== null && { client_secret: clientSecret }),
  };
}

function inHeader({ clientId, clientSecret, authMethod }: OAuthRegistration): Record<string, string> {
  if (authMethod !== 'client_secret_basic') return {};
  const pair = [clientId, clientSecret ?? ''].map(encodeURIComponent).join(':');
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
