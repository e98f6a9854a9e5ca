/**
 * Connections to providers: made when one is needed, shared by its calls, and given up when they are idle, old or
 * broken. Each provider has its own queue and breaker, so that one that is dead or slow waits alone.
 */
import type { Clock } from '../../kernel/clock.ts';
import { Breaker } from './breaker.ts';
import { isInvokable } from './lifecycle.ts';
import type { UpstreamLink, Upstreams } from './ports/upstream.ts';
import type { ProviderLimits, ProviderProfile } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { CallQueue } from './queue.ts';
import type { ProviderSurface } from './surface.ts';

export interface LinkMeans {
  readonly directory: ProviderDirectory;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
}

export interface ProviderStatus {
  readonly connected: boolean;
  /** Everything that runs of it now. */
  readonly processes: readonly number[];
  readonly stderr: string;
  /** Attempts to reach it that failed, since the last that did not. */
  readonly failures: number;
  /** Since when what is listed of it could not be read again; null when it could. */
  readonly staleSince: number | null;
  /** How often it was connected to since Sluice was started. */
  readonly connections: number;
}

const SWEEP_MS = 5_000;

class Entry {
  readonly queue: CallQueue;
  readonly breaker: Breaker;
  link: Promise<UpstreamLink> | undefined;
  open: UpstreamLink | undefined;
  /** Too old for new calls, and kept until those under way are over. */
  readonly retired = new Set<UpstreamLink>();
  openedAt = 0;
  usedAt = 0;
  connections = 0;

  constructor(id: string) {
    this.queue = new CallQueue(id);
    this.breaker = new Breaker(id);
  }

  forget(): void {
    this.link = undefined;
    this.open = undefined;
  }
}

export class ProviderLinks {
  readonly #use: LinkMeans;
  readonly #entries = new Map<string, Entry>();
  readonly #stop = new AbortController();
  readonly #sweep: NodeJS.Timeout;
  readonly #unwatch: () => void;

  constructor(use: LinkMeans) {
    this.#use = use;
    this.#sweep = setInterval(() => void this.#dropSpent(), SWEEP_MS).unref();
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
    if (entry.open?.ended) entry.forget();
    if (entry.link) return entry.link;
    entry.breaker.require(now);
    const link = this.#connect(entry, profile);
    entry.link = link;
    // Whoever waits for it hears of its failure; the next one begins anew.
    link.catch(() => {
      if (entry.link === link) entry.forget();
    });
    return link;
  }

  /** A server is there when it has said what it shows, not only that it listens. */
  async #connect(entry: Entry, profile: ProviderProfile): Promise<UpstreamLink> {
    const { clock, upstreams } = this.#use;
    let open: UpstreamLink | undefined;
    try {
      open = await upstreams.connect(profile, this.#stop.signal);
      await open.surface(profile.limits.repinAfterMs);
    } catch (error) {
      entry.breaker.failed(clock.now());
      await open?.close();
      throw error;
    }
    entry.breaker.worked();
    entry.open = open;
    entry.openedAt = clock.now();
    entry.connections += 1;
    return open;
  }

  /** Everything a server shows, in a process or session of its own that ends afterwards. */
  async discover(profile: ProviderProfile): Promise<ProviderSurface> {
    const link = await this.#use.upstreams.connect(profile, this.#stop.signal);
    const end = (): void => void link.close();
    this.#stop.signal.addEventListener('abort', end, { once: true });
    try {
      return await link.surface(0);
    } finally {
      this.#stop.signal.removeEventListener('abort', end);
      await link.close();
    }
  }

  drop(id: string): Promise<void> {
    return dropEntry(this.#entry(id));
  }

  status(id: string): ProviderStatus {
    const { open, retired, breaker, connections } = this.#entry(id);
    return {
      connected: open !== undefined && !open.ended,
      processes: [...(open ? [open] : []), ...retired].flatMap(({ processes }) => processes),
      stderr: open?.stderr() ?? '',
      failures: breaker.failures,
      staleSince: breaker.since,
      connections,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#unwatch();
    this.#stop.abort();
    await Promise.allSettled([...this.#entries.values()].map(dropEntry));
    await this.#use.upstreams.close();
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

  async #dropSpent(): Promise<void> {
    const spent = [...this.#entries].map(async ([id, entry]) => {
      const limits = this.#use.directory.find(id)?.profile.limits;
      if (entry.open && limits) await dropIfSpent(entry, entry.open, limits, this.#use.clock.now());
    });
    await Promise.allSettled(spent);
  }
}

async function dropIfSpent(
  entry: Entry,
  open: UpstreamLink,
  limits: ProviderLimits,
  now: number,
): Promise<void> {
  const busy = entry.queue.running > 0;
  const old = now - entry.openedAt > limits.lifetimeMs;
  if (!busy && (old || now - entry.usedAt > limits.idleMs)) return dropEntry(entry);
  if (!old) return undefined;
  entry.forget();
  entry.retired.add(open);
  // By then every call that is under way has been answered or given up.
  setTimeout(() => {
    entry.retired.delete(open);
    void open.close();
  }, limits.callMs).unref();
}

async function dropEntry(entry: Entry): Promise<void> {
  const { link } = entry;
  const retired = [...entry.retired];
  entry.forget();
  entry.retired.clear();
  // One that never came up has nothing to close.
  const opened = link?.then(
    (open) => open.close(),
    () => undefined,
  );
  await Promise.allSettled([opened, ...retired.map((open) => open.close())]);
}
