/** Connecting a provider by its authorization server: a question that is open for a while, and the one answer to it. */
import type { Clock } from '../../../kernel/clock.ts';
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { IdSource } from '../../../kernel/ids.ts';
import type { SecretBox } from '../../../kernel/ports/secret-box.ts';
import type { OAuthClient, OAuthFlow, OAuthGrant } from '../ports/oauth-client.ts';
import { OAuthFailure } from '../ports/oauth-client.ts';
import type { Provider } from '../ports/provider-store.ts';
import type { ProviderDirectory } from '../provider-directory.ts';
import { refusal } from '../refusals.ts';
import type { Challenges } from './challenges.ts';
import { checkUser, type OAuthFacts, type SlotKey, slotPurpose } from './credential-slot.ts';
import { factsOf } from './custody-desk.ts';
import { custodyOf } from './custody-rules.ts';
import type { SlotDirectory } from './slot-directory.ts';

export interface ConnectionMeans {
  readonly directory: ProviderDirectory;
  readonly slots: SlotDirectory;
  readonly secrets: SecretBox;
  readonly oauth: OAuthClient;
  readonly challenges: Challenges;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Keeps what was granted, through the pipeline, as Sluice itself. */
  keep(key: SlotKey, sealed: string, facts: OAuthFacts, provider: string): Promise<void>;
}

export interface ConnectRequest {
  readonly provider: string;
  readonly user: string | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly clientId: string | undefined;
  /** Sealed for `clientPurpose`. */
  readonly sealedClientSecret: string | undefined;
}

export interface Connections {
  begin(request: ConnectRequest): Promise<{ readonly id: string; readonly flow: OAuthFlow }>;
  /** `sealed` for `answerPurpose`; a question is answered once. */
  finish(id: string, sealed: string): Promise<{ readonly key: SlotKey; readonly facts: OAuthFacts }>;
}

export const clientPurpose = (provider: string): string => `oauth-client ${provider}`;
export const answerPurpose = (id: string): string => `oauth-answer ${id}`;

/** By number, not by name: whoever owns a name could be asked elsewhere. */
const REDIRECT = /^http:\/\/127\.0\.0\.1:\d{1,5}\/callback$/;
const OPEN_MS = 600_000;
const MAX_OPEN = 32;

interface Pending {
  readonly flow: OAuthFlow;
  readonly provider: Provider;
  readonly key: SlotKey;
  readonly until: number;
}

export function createConnections(use: ConnectionMeans): Connections {
  const pending = new Map<string, Pending>();
  return {
    async begin(request) {
      const provider = use.directory.find(request.provider);
      if (!provider)
        throw new SluiceError('not_found', `There is no provider "${request.provider}"`, {
          field: 'provider',
        });
      if (!REDIRECT.test(request.redirectUri))
        throw invalidInput('redirect_uri', 'must be http://127.0.0.1:PORT/callback');
      const key = keyOf(provider, request.user);
      const flow = await named(provider, () =>
        use.oauth.begin(provider.profile, wishOf(use, provider, key, request)),
      );
      const now = use.clock.now();
      for (const [id, { until }] of pending) if (until < now || pending.size >= MAX_OPEN) pending.delete(id);
      const id = use.ids.next<string>();
      pending.set(id, { flow, provider, key, until: now + OPEN_MS });
      return { id, flow };
    },
    async finish(id, sealed) {
      const open = pending.get(id);
      pending.delete(id);
      if (!open || open.until < use.clock.now())
        throw new SluiceError('not_found', 'This connection was not begun, or too long ago', {
          field: 'flow',
        });
      const answer = JSON.parse(use.secrets.open(sealed, answerPurpose(id))) as Record<string, string>;
      const { provider, flow, key } = open;
      const grant = await named(provider, () => use.oauth.finish(provider.profile, flow, answer));
      await use.keep(key, sealGrant(use.secrets, key, grant), factsOf(grant), provider.profile.id);
      return { key, facts: factsOf(grant) };
    },
  };
}

const sealGrant = (secrets: SecretBox, key: SlotKey, grant: OAuthGrant): string =>
  secrets.seal(JSON.stringify(grant), slotPurpose(key));

function keyOf({ profile }: Provider, user: string | undefined): SlotKey {
  const ref = profile.credentialRef ?? `grant://${profile.id}`;
  if (custodyOf(profile).perUser) return { ref, user: checkUser(user ?? 'owner') };
  if (user !== undefined)
    throw invalidInput('user', `must be left out: all callers share the credential of "${profile.id}"`);
  return { ref, user: null };
}

function wishOf(use: ConnectionMeans, { profile }: Provider, key: SlotKey, request: ConnectRequest) {
  const slot = use.slots.find(key);
  const before =
    slot?.kind === 'oauth'
      ? (JSON.parse(use.secrets.open(slot.sealed, slotPurpose(slot))) as OAuthGrant)
      : undefined;
  return {
    redirectUri: request.redirectUri,
    // What was granted before is asked for again, so that more never means less.
    scopes: [...new Set([...(before?.scopes ?? []), ...request.scopes])],
    challenge: use.challenges.last(profile.id, key.user),
    known: before?.registration,
    clientId: request.clientId,
    clientSecret:
      request.sealedClientSecret === undefined
        ? undefined
        : use.secrets.open(request.sealedClientSecret, clientPurpose(profile.id)),
  };
}

/** Says which step did not work. */
async function named<T>({ profile }: Provider, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    throw refusal(
      'DELEG_CREDENTIAL_REQUIRED',
      profile.id,
      `"${profile.id}" was not connected (${error.step}): ${error.message}`,
      { step: error.step },
    );
  }
}
