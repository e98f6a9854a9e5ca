/** Where the words of a provider may lead us: encrypted, to the public network, and to this machine only if it is there itself. */
import { type OAuthFailure as Failure, OAuthFailure } from '../../../domain/providers/ports/oauth-client.ts';
import type { Transport } from '../../../domain/providers/profile.ts';
import { isLoopback } from '../address-rules.ts';
import { literalProblem, type Reach, reachOf } from '../guarded-dial.ts';

export interface Surroundings {
  readonly provider: URL;
  readonly privateNetwork: boolean;
}

export function surroundingsOf(transport: Transport): Surroundings {
  if (transport.kind !== 'streamable_http')
    throw new OAuthFailure('discovery', 'only a provider over HTTP is connected by an authorization server');
  return { provider: new URL(transport.url), privateNetwork: transport.privateNetwork };
}

export interface Place {
  readonly url: URL;
  readonly reach: Reach;
}

/** `what` is for the message: the words of a server are never repeated in it. */
export function placeOf(
  text: unknown,
  { provider, privateNetwork }: Surroundings,
  step: Failure['step'],
  what: string,
): Place {
  const url = typeof text === 'string' && text.length <= 2_000 ? parsed(text) : undefined;
  if (!url) throw new OAuthFailure(step, `${what} is no address`);
  const here = isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here))
    throw new OAuthFailure(step, `${what} does not begin with https://`);
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw new OAuthFailure(step, `${what} names a user or a part of a page`);
  if (here && !privateNetwork && !isLoopback(provider.hostname))
    throw new OAuthFailure(step, `${what} leads to this machine, where the provider is not`);
  const reach = reachOf(url, privateNetwork);
  const problem = literalProblem(url, reach);
  if (problem !== undefined) throw new OAuthFailure(step, `${what} is not followed: ${problem}`);
  return { url, reach };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
