/**
 * Calls to admitted providers: only what was admitted, only as it was admitted. What a provider shows on the live
 * connection is compared with its pins before every call, and a provider that drifted is held before anybody
 * hears of its answer.
 */
import { type AdmittedCall, type AdmittedMeans, asking, callAdmitted, lookAgain } from './admitted-call.ts';
import { type AskOptions, askProvider, type ProviderAsk } from './ask-provider.ts';
import { refuseCredentials } from './credential-check.ts';
import type { SlotKey } from './custody/credential-slot.ts';
import type { Provider } from './ports/provider-store.ts';
import type { Asking, UpstreamCall } from './ports/upstream.ts';
import { type AllowedTool, patienceOf } from './profile.ts';
import { type LinkMeans, ProviderLinks, type ProviderStatus } from './provider-links.ts';
import { refusal } from './refusals.ts';
import { type Following, ResourceUpdates } from './resource-updates.ts';
import type { ProviderSurface, Shown } from './surface.ts';

export type LiveMeans = Omit<LinkMeans, 'changed'> & Pick<AdmittedMeans, 'quarantine'>;

export type ProviderCall = Pick<UpstreamCall, 'input' | 'signal' | 'onProgress' | keyof Asking> &
  Required<Pick<AdmittedCall<unknown>, 'onEffect' | 'user'>>;

export interface LiveProviders {
  /** The raw result; throws a refusal for everything else. */
  call(id: string, tool: string, call: ProviderCall): Promise<Shown>;
  /** What is no call of a tool, likewise. */
  ask(id: string, ask: ProviderAsk, options: AskOptions): Promise<Shown>;
  /** Everything a server shows to this user, in a process or session of its own that ends afterwards. */
  discover(provider: Provider, user: string): Promise<ProviderSurface>;
  /** A credential is another one by now: whoever holds the old one is ended. */
  credentialChanged(key: SlotKey): Promise<void>;
  /** Tells of changes of a resource that was admitted, until it is ended; throws when too many are followed. */
  follow(id: string, uri: string, user: string, changed: () => void): Following;
  /** Since when what is listed of it could not be read again; null when it could. Asked for every entry of a list. */
  staleSince(id: string): number | null;
  status(id: string): ProviderStatus;
  close(): Promise<void>;
}

export function createLiveProviders(use: LiveMeans): LiveProviders {
  const links = new ProviderLinks({ ...use, changed: (id, link) => void lookAgain(means, id, link) });
  const means: AdmittedMeans = {
    directory: use.directory,
    links,
    quarantine: (id, shown) => use.quarantine(id, shown),
  };
  const updates = new ResourceUpdates(means);
  return {
    call: (id, tool, call) => callTool(means, id, tool, call),
    ask: (id, ask, options) => askProvider(means, id, ask, options),
    discover: ({ profile }, user) => links.discover(profile, user),
    credentialChanged: (key) => links.dropHolders(key),
    follow: (id, uri, user, changed) => updates.follow(id, uri, user, changed),
    staleSince: (id) => links.staleSince(id),
    status: (id) => links.status(id),
    async close() {
      updates.close();
      await links.close();
    },
  };
}

async function callTool(use: AdmittedMeans, id: string, tool: string, call: ProviderCall): Promise<Shown> {
  call.onEffect('none');
  const provider = use.directory.find(id);
  const allowed = provider && allowedIn(provider, tool);
  refuseCredentials(id, call.input);
  return callAdmitted(use, id, {
    effect: allowed?.effect ?? 'UNSUPPORTED_EFFECT',
    repeatable: allowed?.effect === 'READ_ONLY' && allowed.confirmed === true,
    signal: call.signal,
    user: call.user,
    onEffect: call.onEffect,
    require(current) {
      if (!allowedIn(current, tool))
        throw refusal('DELEG_CAPABILITY_NOT_ALLOWED', id, `"${tool}" of "${id}" was not admitted`);
    },
    send: (link, { profile }, onAsked) =>
      link.call({ ...call, ...asking(call, onAsked), tool, ...patienceOf(profile.limits) }),
  });
}

const allowedIn = ({ profile }: Provider, tool: string): AllowedTool | undefined =>
  profile.allowedTools.find(({ name }) => name === tool);
