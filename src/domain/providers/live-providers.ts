/**
 * Calls to admitted providers: only what was admitted, only as it was admitted. What a provider shows on the live
 * connection is compared with its pins before every call, and a provider that drifted is held before anybody
 * hears of its answer.
 */
import type { Clock } from '../../kernel/clock.ts';
import { refuseCredentials } from './credential-check.ts';
import { findDrift, isGrave } from './drift.ts';
import { isInvokable } from './lifecycle.ts';
import type { Provider } from './ports/provider-store.ts';
import { type UpstreamCall, UpstreamFailure, type UpstreamLink, type Upstreams } from './ports/upstream.ts';
import type { AllowedTool } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { CallQueue } from './queue.ts';
import { effectAfter, failureRefusal, refusal, stateRefusal } from './refusals.ts';
import type { ProviderSurface, Shown } from './surface.ts';

export interface LiveMeans {
  readonly directory: ProviderDirectory;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
  /** Puts it into quarantine through the pipeline, as Sluice itself; back when that is durable. */
  quarantine(provider: string, surface: ProviderSurface): Promise<void>;
}

export type ProviderCall = Pick<UpstreamCall, 'input' | 'signal' | 'onProgress'> & {
  /** Told before anything is sent, while it is, and when it is known what became of it. */
  onEffect(state: 'none' | 'in_doubt' | 'known'): void;
};

export interface ProviderStatus {
  readonly connected: boolean;
  readonly processes: readonly number[];
  readonly stderr: string;
  readonly failures: number;
}

export interface LiveProviders {
  /** The raw result; throws a refusal for everything else. */
  call(id: string, tool: string, call: ProviderCall): Promise<Shown>;
  /** Everything a server shows, in a process or session of its own that ends afterwards. */
  discover(provider: Provider): Promise<ProviderSurface>;
  status(id: string): ProviderStatus;
  close(): Promise<void>;
}

/** After so many failures in a row nobody tries for a while, longer each time. */
const BREAK_AFTER = 3;
const FIRST_BREAK_MS = 2_000;
const LONGEST_BREAK_MS = 60_000;

interface Live {
  readonly queue: CallQueue;
  link: Promise<UpstreamLink> | undefined;
  open: UpstreamLink | undefined;
  openedAt: number;
  usedAt: number;
  failures: number;
  brokenUntil: number;
}

export function createLiveProviders(use: LiveMeans): LiveProviders {
  const live = new Map<string, Live>();
  const of = (id: string): Live => {
    const known = live.get(id);
    if (known) return known;
    const fresh = {
      queue: new CallQueue(id),
      link: undefined,
      open: undefined,
      openedAt: 0,
      usedAt: 0,
      failures: 0,
      brokenUntil: 0,
    };
    live.set(id, fresh);
    return fresh;
  };
  const sweep = setInterval(() => void sweepIdle(use, live), SWEEP_MS).unref();
  const stop = use.directory.onChange(() => void dropHeld(use, live));
  return {
    call: (id, tool, call) => callTool(use, of, id, tool, call),
    async discover({ profile }) {
      const link = await use.upstreams.connect(profile);
      try {
        return await link.surface(0);
      } finally {
        await link.close();
      }
    },
    status(id) {
      const { open, failures } = of(id);
      return {
        connected: open !== undefined && !open.ended,
        processes: open?.processes ?? [],
        stderr: open?.stderr() ?? '',
        failures,
      };
    },
    async close() {
      clearInterval(sweep);
      stop();
      await Promise.allSettled([...live.values()].map(drop));
    },
  };
}

const SWEEP_MS = 5_000;

async function callTool(
  use: LiveMeans,
  of: (id: string) => Live,
  id: string,
  tool: string,
  call: ProviderCall,
): Promise<Shown> {
  call.onEffect('none');
  const { provider, allowed } = admittedTool(use, id, tool);
  refuseCredentials(id, call.input);
  const entry = of(id);
  const { limits } = provider.profile;
  return entry.queue.run(limits, call.signal, async () => {
    for (let again = true; ; again = false) {
      try {
        return await callOnce(use, entry, id, allowed, call);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        call.onEffect(effectAfter(error));
        // What cannot have reached it, and what only reads, is tried once more on a fresh connection.
        const safe = !error.sent || allowed.effect === 'READ_ONLY';
        if (error.kind === 'ended' && safe && again && !call.signal.aborted) continue;
        throw failureRefusal(id, allowed.effect, error);
      }
    }
  });
}

async function callOnce(
  use: LiveMeans,
  entry: Live,
  id: string,
  { name }: AllowedTool,
  call: ProviderCall,
): Promise<Shown> {
  const { profile } = admittedTool(use, id, name).provider;
  const link = await linkOf(use, entry, profile);
  await requireAsAdmitted(use, entry, link, id, profile.limits.repinAfterMs).catch((error: unknown) => {
    // Nothing was called yet.
    throw error instanceof UpstreamFailure
      ? new UpstreamFailure(error.kind, error.message, false, error.words)
      : error;
  });
  call.onEffect('in_doubt');
  const result = await link.call({ ...call, tool: name, timeoutMs: profile.limits.callMs });
  call.onEffect('known');
  // Meanwhile somebody may have held it, or it may have said that it changed.
  admittedTool(use, id, name);
  await requireAsAdmitted(use, entry, link, id, profile.limits.repinAfterMs);
  return result;
}

function admittedTool(
  use: LiveMeans,
  id: string,
  tool: string,
): { provider: Provider; allowed: AllowedTool } {
  const provider = use.directory.find(id);
  if (!provider) throw refusal('DELEG_PROVIDER_NOT_FOUND', id, `there is no provider "${id}"`);
  if (!isInvokable(provider.state)) throw stateRefusal(provider);
  const allowed = provider.profile.allowedTools.find(({ name }) => name === tool);
  if (!allowed) throw refusal('DELEG_CAPABILITY_NOT_ALLOWED', id, `"${tool}" of "${id}" was not admitted`);
  return { provider, allowed };
}

async function requireAsAdmitted(
  use: LiveMeans,
  entry: Live,
  link: UpstreamLink,
  id: string,
  maxAgeMs: number,
): Promise<void> {
  const surface = await link.surface(maxAgeMs);
  const provider = use.directory.find(id);
  if (!provider?.admitted || matches(provider, surface)) return;
  await use.quarantine(id, surface);
  await drop(entry);
  const held = use.directory.find(id);
  throw held && !isInvokable(held.state)
    ? stateRefusal(held)
    : refusal('DELEG_PROVIDER_DRIFTED', id, `"${id}" is not what was admitted`);
}

/** A surface is compared once with one admission, however many calls it is asked for. */
const matched = new WeakMap<ProviderSurface, Provider>();

function matches(provider: Provider, surface: ProviderSurface): boolean {
  if (matched.get(surface)?.admitted === provider.admitted) return true;
  if (!provider.admitted || findDrift(provider.profile, provider.admitted, surface).some(isGrave))
    return false;
  matched.set(surface, provider);
  return true;
}

function linkOf(use: LiveMeans, entry: Live, profile: Provider['profile']): Promise<UpstreamLink> {
  const now = use.clock.now();
  entry.usedAt = now;
  if (entry.open?.ended) {
    entry.link = undefined;
    entry.open = undefined;
  }
  if (entry.link) return entry.link;
  if (now < entry.brokenUntil)
    throw refusal('DELEG_PROVIDER_NOT_FOUND', profile.id, `"${profile.id}" could not be reached just now`, {
      retry_after_ms: entry.brokenUntil - now,
    });
  const link = use.upstreams.connect(profile).then(
    (open) => {
      entry.failures = 0;
      entry.open = open;
      entry.openedAt = use.clock.now();
      return open;
    },
    (error: unknown) => {
      entry.link = undefined;
      entry.failures += 1;
      if (entry.failures >= BREAK_AFTER)
        entry.brokenUntil =
          use.clock.now() + Math.min(LONGEST_BREAK_MS, FIRST_BREAK_MS * 2 ** (entry.failures - BREAK_AFTER));
      throw error;
    },
  );
  entry.link = link;
  return link;
}

async function drop(entry: Live): Promise<void> {
  const { link } = entry;
  entry.link = undefined;
  entry.open = undefined;
  // One that never came up has nothing to close.
  await link?.then(
    (open) => open.close(),
    () => undefined,
  );
}

/** What may not be called any more is not kept running. */
async function dropHeld(use: LiveMeans, live: ReadonlyMap<string, Live>): Promise<void> {
  for (const [id, entry] of live) {
    const provider = use.directory.find(id);
    if (!provider || !isInvokable(provider.state)) await drop(entry);
  }
}

async function sweepIdle(use: LiveMeans, live: ReadonlyMap<string, Live>): Promise<void> {
  const now = use.clock.now();
  for (const [id, entry] of live) {
    const limits = use.directory.find(id)?.profile.limits;
    if (!entry.open || !limits) continue;
    if (now - entry.usedAt > limits.idleMs || now - entry.openedAt > limits.lifetimeMs) await drop(entry);
  }
}
