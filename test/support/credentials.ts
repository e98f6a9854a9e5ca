/** Credentials for providers, given as the command line gives them: sealed. */
import { sealAnswer, sealCredential } from '../../src/app/seal-secret.ts';
import { asOwner } from './owner.ts';
import type { startSluice } from './process.ts';
import type { ProtectedUpstream } from './protected-upstream.ts';

export function keepCredential(home: string, ref: string, secret: string, user?: string) {
  const sealed = sealCredential(home, { ref, user: user ?? null }, secret);
  return asOwner(home, 'credential.set', { ref, sealed, ...(user !== undefined && { user }) });
}

/** Nobody listens there: the test brings the answer itself. */
const redirect_uri = 'http://127.0.0.1:9/callback';

export interface Begun {
  readonly flow: string;
  readonly authorization_url: string;
  readonly resource: string;
  readonly scopes: readonly string[];
}

export const beginConnect = (home: string, provider: string, further: Record<string, unknown> = {}) =>
  asOwner<Begun>(home, 'credential.begin_connect', { provider, redirect_uri, ...further });

export const finishConnect = (home: string, flow: string, answer: Readonly<Record<string, string>>) =>
  asOwner(home, 'credential.finish_connect', { flow, sealed_answer: sealAnswer(home, flow, answer) });

/** As a person does who says yes to everything. */
export async function connectByHand(
  home: string,
  provider: string,
  upstream: ProtectedUpstream,
  further: Record<string, unknown> = {},
): Promise<Begun> {
  const begun = await beginConnect(home, provider, further);
  await finishConnect(home, begun.flow, await upstream.consent(begun.authorization_url));
  return begun;
}

/** The address that `provider connect` prints; rejects with its words when it ends without one. */
export async function printedUrl({ child, ended }: ReturnType<typeof startSluice>): Promise<string> {
  const printed = new Promise<string>((resolve) => {
    let said = '';
    child.stderr?.on('data', (text) => {
      said += text;
      const url = /^(https?:\S+)\n/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const over = ended.then(({ stderr }) => {
    throw new Error(`it ended without an address: ${stderr}`);
  });
  return Promise.race([printed, over]);
}
