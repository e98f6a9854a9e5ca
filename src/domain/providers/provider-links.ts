/**
 * Connections to providers: made when one is needed, shared by its calls, and given up when they are idle, old or
 * broken. Each provider has its own queue and breaker, so that one that is dead or slow waits alone.
 */
import type { Clock } from '../../kernel/clock.ts';
import { isInvokable } from './lifecycle.ts';
import type { UpstreamLink, Upstreams } from './ports/upstream.ts';
import type { ProviderProfile } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { CallQueue } from './queue.ts';
import { refusal } from './refusals.ts';

export interface LinkMeans {
  readonly directory: ProviderDirectory;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
  /** A server said that what it shows has changed. */
  changed(id: string, link: UpstreamLink): void;
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
  readonly queue: CallQueue;
  link: Promise<UpstreamLink> | undefined;
  open: UpstreamLink | undefined;
  openedAt = 0;
  usedAt = 0;
  failures = 0;
  brokenUntil = 0;

  constructor(id: string) {
    this.queue = new CallQueue(id);
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
    return this.#entry(id).queue;
  }

  /** The connection that serves all callers; a new one when there is none or it has ended. */
  open(profile: ProviderProfile): Promise<UpstreamLink> {
    const entry = this.#entry(profile.id);
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
      const open = await this.#use.upstreams.connect(profile);
      entry.failures = 0;
      entry.open = open;
      open.onChanged(() => this.#use.changed(profile.id, open));
      entry.openedAt = this.#use.clock.now();
      return open;
    } catch (error) {
      entry.link = undefined;
      entry.failures += 1;
      if (entry.failures >= BREAK_AFTER) {
        const breakMs = Math.min(LONGEST_BREAK_MS, FIRST_BREAK_MS * 2 ** (entry.failures - BREAK_AFTER));
        entry.brokenUntil = this.#use.clock.now() + breakMs;
      }
      throw error;
    }
  }

  drop(id: string): Promise<void> {
    return dropEntry(this.#entry(id));
  }

  status(id: string): ProviderStatus {
    const { open, failures } = this.#entry(id);
    return {
      connected: open !== undefined && !open.ended,
      processes: open?.processes ?? [],
      stderr: open?.stderr() ?? '',
      failures,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#unwatch();
    await Promise.allSettled([...this.#entries.values()].map(dropEntry));
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id);
    if (known) return known;
    const fresh = new Entry(id);
    this.#entries.set(id, fresh);
    return fresh;
  }

  /** What may not be called any more is not kept running. */
  async #dropHeld(): Promise<void> {
    const held = [...this.#entries].filter(([id]) => {
      const provider = this.#use.directory.find(id);
      return !provider || !isInvokable(provider.state);
    });
    await Promise.allSettled(held.map(([, entry]) => dropEntry(entry)));
  }

  async #dropIdle(): Promise<void> {
    const now = this.#use.clock.now();
    const spent = [...this.#entries].filter(([id, entry]) => {
      const limits = this.#use.directory.find(id)?.profile.limits;
      if (!entry.open || !limits) return false;
      return now - entry.usedAt > limits.idleMs || now - entry.openedAt > limits.lifetimeMs;
    });
    await Promise.allSettled(spent.map(([, entry]) => dropEntry(entry)));
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
