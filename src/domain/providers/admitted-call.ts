/**
 * One request to an admitted provider, whatever it asks for: in its turn, on a connection whose surface is as it was
 * admitted before and after, and tried once more only where that cannot do anything twice.
 */
import { SluiceError } from '../../kernel/errors.ts';
import { type Drift, findDrift, isGrave } from './drift.ts';
import { isInvokable } from './lifecycle.ts';
import type { Provider } from './ports/provider-store.ts';
import { type Asking, UpstreamFailure, type UpstreamLink } from './ports/upstream.ts';
import type { EffectClass, ProviderLimits, ProviderProfile } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import type { ProviderLinks } from './provider-links.ts';
import { effectAfter, failureRefusal, refusal, stateRefusal } from './refusals.ts';
import type { ProviderSurface } from './surface.ts';

export interface AdmittedMeans {
  readonly directory: ProviderDirectory;
  readonly links: ProviderLinks;
  /** Says through the pipeline, as Sluice itself, what it shows now, which holds it where that is grave; then durable. */
  quarantine(provider: string, shown: ProviderSurface | { readonly problem: string }): Promise<void>;
}

export interface AdmittedCall<Answer> {
  /** Throws unless what is asked for was admitted; asked before, and again when the answer is there. */
  require(provider: Provider): void;
  readonly effect: EffectClass;
  /** It only reads, and not by its provider's word alone. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  /** Who calls; some providers know each caller by its own credential. */
  readonly user: string;
  /** `onAsked` is to be called when the provider asks the one who calls for something. */
  send(link: UpstreamLink, provider: Provider, onAsked: () => void): Promise<Answer>;
  /** Told before anything is sent, while it is, and when it is known what became of it. */
  onEffect?(state: 'none' | 'in_doubt' | 'known'): void;
}

export async function callAdmitted<Answer>(
  use: AdmittedMeans,
  id: string,
  call: AdmittedCall<Answer>,
): Promise<Answer> {
  const { profile } = invokable(use, id, call);
  return use.links.queueOf(id).run(turnsOf(profile), call.signal, async (leave) => {
    let asked = false;
    const onAsked = (): void => {
      asked = true;
      leave();
    };
    for (let again = true; ; again = false) {
      try {
        return await callOnce(use, id, call, onAsked);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        // What cannot have reached it, and what only reads, is tried once more on a fresh connection. Nobody is asked
        // twice for the same.
        const safe = !asked && (!error.sent || call.repeatable);
        if (isOver(error) && safe && again && !call.signal.aborted) continue;
        throw failureRefusal(id, call.effect, error);
      }
    }
  });
}

/** The connection is, and another one may serve. */
const isOver = ({ kind }: UpstreamFailure): boolean => kind === 'ended' || kind === 'forgotten';

/** A program has one stream for everything it says, so one that may ask has one call at a time to ask about. */
const turnsOf = ({ limits, transport, relays = [] }: ProviderProfile): ProviderLimits =>
  transport.kind === 'stdio_command' && relays.length > 0 ? { ...limits, concurrent: 1 } : limits;

async function callOnce<Answer>(
  use: AdmittedMeans,
  id: string,
  call: AdmittedCall<Answer>,
  onAsked: () => void,
): Promise<Answer> {
  const provider = invokable(use, id, call);
  const { repinAfterMs } = provider.profile.limits;
  const link = await notSent(async () => {
    const opened = holdUnpinnable(use, id, () => use.links.open(provider.profile, call.user));
    const open = await unlessGivenUp(opened, call.signal);
    const looked = unlessLost(use, open, () => requireAsAdmitted(use, open, id, repinAfterMs));
    await unlessGivenUp(looked, call.signal);
    return open;
  });
  const answer = await unlessLost(use, link, () => sendTracked(link, provider, call, onAsked));
  // Meanwhile somebody may have held it, or it may have said that it changed.
  invokable(use, id, call);
  await alreadySent(() => requireAsAdmitted(use, link, id, repinAfterMs)).catch(withVerdict);
  return answer;
}

/** There was an answer, and this is what becomes of it. */
function withVerdict(error: unknown): never {
  if (!(error instanceof SluiceError) || error.code !== 'DELEG_PROVIDER_DRIFTED') throw error;
  throw new SluiceError(error.code, error.message, { ...error.details, verdict: 'PROVIDER_DRIFTED' });
}

/** Where nothing listens any more no call comes back to; what is under way may still be answered. */
async function unlessLost<T>(use: AdmittedMeans, link: UpstreamLink, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || error.kind !== 'gone') throw error;
    use.links.retire(link);
    throw new UpstreamFailure('ended', error.message, error.sent);
  }
}

/** The same way to ask, which also says that it was used. */
export const asking = ({ onQuestion }: Asking, onAsked: () => void): Pick<Asking, 'onQuestion'> =>
  onQuestion
    ? {
        onQuestion(question) {
          const passedOn = onQuestion(question);
          if (passedOn) onAsked();
          return passedOn;
        },
      }
    : {};

async function sendTracked<Answer>(
  link: UpstreamLink,
  provider: Provider,
  call: AdmittedCall<Answer>,
  onAsked: () => void,
): Promise<Answer> {
  call.onEffect?.('in_doubt');
  try {
    const answer = await call.send(link, provider, onAsked);
    call.onEffect?.('known');
    return answer;
  } catch (error) {
    if (error instanceof UpstreamFailure) call.onEffect?.(effectAfter(error));
    throw error;
  }
}

/** What fails before the call is made cannot have done anything. */
const notSent = <T>(work: () => Promise<T>): Promise<T> => failing(work, false);

/** What fails after it was made cannot undo it. */
const alreadySent = <T>(work: () => Promise<T>): Promise<T> => failing(work, true);

async function failing<T>(work: () => Promise<T>, sent: boolean): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UpstreamFailure ? error.asSent(sent) : error;
  }
}

/** Others may wait for the same; whoever gives up does so alone. */
function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new UpstreamFailure('cancelled', 'The call was given up', false));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

function invokable<Answer>(use: AdmittedMeans, id: string, call: AdmittedCall<Answer>): Provider {
  const provider = use.directory.find(id);
  if (!provider) throw refusal('DELEG_PROVIDER_NOT_FOUND', id, `there is no provider "${id}"`);
  if (!isInvokable(provider.state)) throw stateRefusal(provider);
  call.require(provider);
  return provider;
}

/** When a server says that it changed nobody waits for the next call; what it now is holds it, or holds nothing. */
export async function lookAgain(use: AdmittedMeans, id: string, link: UpstreamLink): Promise<void> {
  const provider = use.directory.find(id);
  if (!provider || !isInvokable(provider.state) || link.ended) return;
  // It is held by then, or the next call finds out what is wrong.
  await requireAsAdmitted(use, link, id, provider.profile.limits.repinAfterMs).catch(() => undefined);
}

async function requireAsAdmitted(
  use: AdmittedMeans,
  link: UpstreamLink,
  id: string,
  maxAgeMs: number,
): Promise<void> {
  const surface = await holdUnpinnable(use, id, () => link.surface(maxAgeMs));
  const provider = use.directory.find(id);
  if (!provider?.admitted) return;
  const drift = driftFrom(provider, surface);
  if (drift.some(isGrave)) return hold(use, id, surface);
  // What may be called is as it was; that the rest moved is for its owner to know, and stops nobody.
  if (drift.length > 0 && provider.state === 'READY')
    await use.quarantine(id, surface).catch(() => undefined);
}

/** What it showed could be pinned once; when it cannot even be compared now, it is not that any more. */
async function holdUnpinnable<T>(use: AdmittedMeans, id: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || (error.kind !== 'unpinnable' && error.kind !== 'too_large'))
      throw error;
    return hold(use, id, { problem: error.message });
  }
}

/** Nobody hears anything before the hold is durable. */
async function hold(
  use: AdmittedMeans,
  id: string,
  shown: Parameters<AdmittedMeans['quarantine']>[1],
): Promise<never> {
  await use.quarantine(id, shown);
  await use.links.drop(id);
  const held = use.directory.find(id);
  throw held && !isInvokable(held.state)
    ? stateRefusal(held)
    : refusal('DELEG_PROVIDER_DRIFTED', id, `"${id}" is not what was admitted; try again later`);
}

interface Compared {
  readonly with: Provider['admitted'];
  readonly drift: readonly Drift[];
}

/** A surface is compared once with one admission, however many calls it is asked for. */
const compared = new WeakMap<ProviderSurface, Compared>();

function driftFrom({ profile, admitted }: Provider, surface: ProviderSurface): readonly Drift[] {
  const known = compared.get(surface);
  if (known?.with === admitted) return known?.drift ?? [];
  const drift = admitted ? findDrift(profile, admitted, surface) : [];
  compared.set(surface, { with: admitted, drift });
  return drift;
}
