/**
 * Connections to providers: made when one is needed, shared by its calls, and given up when they are idle, old or
 * broken. Each provider has its own queue and breaker, so that one that is dead or slow waits alone.
 */
import type { Clock } from '../../kernel/clock.ts';
import { custodyOf } from './custody/custody-rules.ts';
import { isInvokable } from './lifecycle.ts';
import { UpstreamFailure, type UpstreamLink, type Upstreams } from './ports/upstream.ts';
import type { ProviderProfile } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { CallQueue } from './queue.ts';
import { refusal } from './refusals.ts';

export interface LinkMeans {
  readonly directory: ProviderDirectory;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
}

export interface ProviderStatus {
  readonly connected: boolean;
  readonly processes: readonly number[];
  readonly stderr: string;
  readonly failures: number;
}

/** After so many failures in a row nobody tries for a while, longer each time. */
const BREAK_AFTER = 3;
const FIRST_BREAK_MS = 2_000;
const LONGEST_BREAK_MS = 60_000;
const SWEEP_MS = 5_000;

class Entry {
  readonly provider: string;
  /** Whose credentials it uses; null where all callers share them. */
  readonly user: string | null;
  readonly queue: CallQueue;
  link: Promise<UpstreamLink> | undefined;
  open: UpstreamLink | undefined;
  openedAt = 0;
  usedAt = 0;
  failures = 0;
  brokenUntil = 0;

  constructor(provider: string, user: string | null) {
    this.provider = provider;
    this.user = user;
    this.queue = new CallQueue(provider);
  }
}

export class ProviderLinks {
  readonly #use: LinkMeans;
  readonly #entries = new Map<string, Entry>();
  readonly #sweep: NodeJS.Timeout;
  readonly #unwatch: () => void;

  constructor(use: LinkMeans) {
    this.#use = use;
    this.#sweep = setInterval(() => void this.#dropIdle(), SWEEP_MS).unref();
    this.#unwatch = use.directory.onChange(() => void this.#dropHeld());
  }

  queueOf(id: string): CallQueue {
    return this.#entry(id, null).queue;
  }

  /**
   * The connection that serves all callers, or this one where each has its own credentials; a new one when there is
   * none or it has ended.
   */
  open(profile: ProviderProfile, user: string | null): Promise<UpstreamLink> {
    const entry = this.#entry(profile.id, custodyOf(profile).perUser ? user : null);
    const now = this.#use.clock.now();
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
    entry.link = this.#connect(entry, profile);
    return entry.link;
  }

  async #connect(entry: Entry, profile: ProviderProfile): Promise<UpstreamLink> {
    try {
      const open = await this.#use.upstreams.connect(profile, entry.user);
      entry.failures = 0;
      entry.open = open;
      entry.openedAt = this.#use.clock.now();
      return open;
    } catch (error) {
      entry.link = undefined;
      // It is there; what is missing is ours to bring.
      if (error instanceof UpstreamFailure && error.kind === 'credential') throw error;
      entry.failures += 1;
      if (entry.failures >= BREAK_AFTER) {
        const breakMs = Math.min(LONGEST_BREAK_MS, FIRST_BREAK_MS * 2 ** (entry.failures - BREAK_AFTER));
        entry.brokenUntil = this.#use.clock.now() + breakMs;
      }
      throw error;
    }
  }

  async drop(id: string): Promise<void> {
    await Promise.all(this.#of(id).map(dropEntry));
  }

  /** Programs that were given a credential when they were started, and it is another one now. */
  async dropHolders(ref: string): Promise<void> {
    const holders = [...this.#entries.values()].filter(({ provider }) => {
      const profile = this.#use.directory.find(provider)?.profile;
      return profile !== undefined && Object.values(custodyOf(profile).environment).includes(ref);
    });
    await Promise.all(holders.map(dropEntry));
  }

  /** Of all its connections together. */
  status(id: string): ProviderStatus {
    const entries = this.#of(id);
    return {
      connected: entries.some(({ open }) => open !== undefined && !open.ended),
      processes: entries.flatMap(({ open }) => open?.processes ?? []),
      stderr: entries.map(({ open }) => open?.stderr() ?? '').join(''),
      failures: Math.max(0, ...entries.map(({ failures }) => failures)),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#unwatch();
    await Promise.allSettled([...this.#entries.values()].map(dropEntry));
  }

  #entry(id: string, user: string | null): Entry {
    // No id has a space in it.
    const name = user === null ? id : `${id} ${user}`;
    const known = this.#entries.get(name);
    if (known) return known;
    const fresh = new Entry(id, user);
    this.#entries.set(name, fresh);
    return fresh;
  }

  #of(id: string): readonly Entry[] {
    return [...this.#entries.values()].filter(({ provider }) => provider === id);
  }

  /** What may not be called any more is not kept running. */
  async #dropHeld(): Promise<void> {
    const held = [...this.#entries.values()].filter((entry) => {
      const provider = this.#use.directory.find(entry.provider);
      return !provider || !isInvokable(provider.state);
    });
    await Promise.allSettled(held.map(dropEntry));
  }

  async #dropIdle(): Promise<void> {
    const now = this.#use.clock.now();
    const spent = [...this.#entries.values()].filter((entry) => {
      const limits = this.#use.directory.find(entry.provider)?.profile.limits;
      if (!entry.open || !limits) return false;
      return now - entry.usedAt > limits.idleMs || now - entry.openedAt > limits.lifetimeMs;
    });
    await Promise.allSettled(spent.map(dropEntry));
  }
}

async function dropEntry(entry: Entry): Promise<void> {
  const { link } = entry;
  entry.link = undefined;
  entry.open = undefined;
  // One that never came up has nothing to close.
  await link?.then(
    (open) => open.close(),
    () => undefined,
  );
}
