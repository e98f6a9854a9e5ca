/**
 * Connections to providers: made when one is needed, shared by its calls, and given up when they are idle, old or
 * broken. Each provider has its own queue and breaker, so that one that is dead or slow waits alone.
 */
import type { Clock } from '../../kernel/clock.ts';
import { Breaker } from './breaker.ts';
import type { SlotKey } from './custody/credential-slot.ts';
import { custodyOf } from './custody/custody-rules.ts';
import { refsOf } from './custody/describe-custody.ts';
import { isInvokable } from './lifecycle.ts';
import { UpstreamFailure, type UpstreamLink, type Upstreams } from './ports/upstream.ts';
import { mostMsOf, type ProviderLimits, type ProviderProfile } from './profile.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import { CallQueue } from './queue.ts';
import { StaleMarks } from './stale-marks.ts';
import type { ProviderSurface } from './surface.ts';

export interface LinkMeans {
  readonly directory: ProviderDirectory;
  readonly upstreams: Upstreams;
  readonly clock: Clock;
  /** A server said that what it shows has changed. */
  changed(id: string, link: UpstreamLink): void;
  /** Other providers than before cannot be reached. */
  marksChanged(): void;
}

export interface ProviderStatus {
  readonly connected: boolean;
  /** Everything that runs of it now. */
  readonly processes: readonly number[];
  readonly stderr: string;
  /** Attempts to reach it that failed, since the last that did not. */
  readonly failures: number;
  /** How often it was connected to since Sluice was started. */
  readonly connections: number;
}

const SWEEP_MS = 5_000;

class Entry {
  readonly provider: string;
  /** Whose credentials it uses; null where all callers share them. */
  readonly user: string | null;
  readonly queue: CallQueue;
  readonly breaker: Breaker;
  link: Promise<UpstreamLink> | undefined;
  open: UpstreamLink | undefined;
  /** Not for new calls: kept until those under way are over, and counted until nothing of it runs. */
  readonly retired = new Set<UpstreamLink>();
  relays = '';
  openedAt = 0;
  usedAt = 0;
  connections = 0;

  constructor(provider: string, user: string | null) {
    this.provider = provider;
    this.user = user;
    this.queue = new CallQueue(provider);
    this.breaker = new Breaker(provider);
  }

  forget(): void {
    this.link = undefined;
    this.open = undefined;
  }
}

export class ProviderLinks {
  readonly #use: LinkMeans;
  readonly #entries = new Map<string, Entry>();
  readonly #marks: StaleMarks;
  /** What the program of a provider had said that ended last, or never came up. */
  readonly #lastWords = new Map<string, () => string>();
  readonly #stop = new AbortController();
  readonly #sweep: NodeJS.Timeout;
  readonly #unwatch: () => void;

  constructor(use: LinkMeans) {
    this.#use = use;
    this.#marks = new StaleMarks(() => use.marksChanged());
    this.#sweep = setInterval(() => void this.#dropSpent(), SWEEP_MS).unref();
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
    const { open } = entry;
    if (open?.ended) {
      this.#lastWords.set(profile.id, () => open.stderr());
      entry.forget();
      void end(entry, open);
    }
    // It was told at its beginning what it may ask for.
    const relays = (profile.relays ?? []).join();
    if (entry.open && entry.relays !== relays) retire(entry, entry.open, mostMsOf(profile.limits));
    if (entry.link) return entry.link;
    entry.breaker.require(now);
    entry.relays = relays;
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
      open = await upstreams.connect(profile, entry.user, this.#stop.signal);
      await open.surface(profile.limits.repinAfterMs);
    } catch (error) {
      // Where only a credential is missing it is there; that is ours to bring.
      if (!(error instanceof UpstreamFailure && error.kind === 'credential')) {
        entry.breaker.failed(clock.now());
        // Where each caller has its own connection, one that works says that it can be reached.
        if (!this.#of(profile.id).some(isConnected)) this.#marks.failed(profile.id, entry.breaker);
      }
      await open?.close();
      return this.#keepWords(profile.id, error);
    }
    entry.breaker.worked();
    this.#marks.reached(profile.id);
    entry.open = open;
    const link = open;
    link.onChanged(() => this.#use.changed(profile.id, link));
    entry.openedAt = clock.now();
    entry.connections += 1;
    return open;
  }

  /** Everything a server shows, in a process or session of its own that ends afterwards. */
  async discover(profile: ProviderProfile, user: string): Promise<ProviderSurface> {
    const link = await this.#use.upstreams
      .connect(profile, user, this.#stop.signal)
      .catch((error: unknown) => this.#keepWords(profile.id, error));
    const end = (): void => void link.close();
    this.#stop.signal.addEventListener('abort', end, { once: true });
    try {
      const surface = await link.surface(0);
      this.#marks.reached(profile.id);
      for (const { breaker } of this.#of(profile.id)) breaker.worked();
      return surface;
    } finally {
      this.#stop.signal.removeEventListener('abort', end);
      await link.close();
    }
  }

  /** For new calls it is there no more; those under way on it may still end well. */
  retire(link: UpstreamLink): void {
    for (const entry of this.#entries.values()) {
      const limits = this.#use.directory.find(entry.provider)?.profile.limits;
      if (entry.open === link && limits) retire(entry, link, mostMsOf(limits));
    }
  }

  async drop(id: string): Promise<void> {
    await Promise.all(this.#of(id).map(dropEntry));
  }

  /** Programs and sessions that were begun with a credential, and it is another one now. */
  async dropHolders({ ref, user }: SlotKey): Promise<void> {
    const holders = [...this.#entries.values()].filter((entry) => {
      const profile = this.#use.directory.find(entry.provider)?.profile;
      return profile !== undefined && entry.user === user && refsOf(profile).has(ref);
    });
    await Promise.all(holders.map(dropEntry));
  }

  staleSince(id: string): number | null {
    return this.#marks.since(id);
  }

  /** Of all its connections together. */
  status(id: string): ProviderStatus {
    const entries = this.#of(id);
    const stderr = entries.map(({ open }) => open?.stderr() ?? '').join('');
    const links = entries.flatMap(({ open, retired }) => [...(open ? [open] : []), ...retired]);
    return {
      connected: entries.some(isConnected),
      processes: links.flatMap(({ processes }) => processes),
      stderr: stderr || (this.#lastWords.get(id)?.() ?? ''),
      failures: Math.max(0, ...entries.map(({ breaker }) => breaker.failures)),
      connections: entries.reduce((sum, entry) => sum + entry.connections, 0),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    this.#unwatch();
    this.#marks.close();
    this.#stop.abort();
    await Promise.allSettled([...this.#entries.values()].map(dropEntry));
    await this.#use.upstreams.close();
  }

  #keepWords(id: string, error: unknown): never {
    if (error instanceof UpstreamFailure && error.log) this.#lastWords.set(id, error.log);
    throw error;
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

  async #dropSpent(): Promise<void> {
    const spent = [...this.#entries.values()].map(async (entry) => {
      const limits = this.#use.directory.find(entry.provider)?.profile.limits;
      const { busy, away } = this.queueOf(entry.provider);
      // What waits for a person is let wait; that has an end of its own.
      if (!entry.open || !limits || away > 0) return;
      await dropIfSpent(entry, entry.open, limits, busy, this.#use.clock.now());
    });
    await Promise.allSettled(spent);
  }
}

const isConnected = ({ open }: Entry): boolean => open !== undefined && !open.ended;

async function dropIfSpent(
  entry: Entry,
  open: UpstreamLink,
  limits: ProviderLimits,
  busy: boolean,
  now: number,
): Promise<void> {
  const old = now - entry.openedAt > limits.lifetimeMs;
  // One by which somebody hears of changes is in use.
  const idle = now - entry.usedAt > limits.idleMs && open.followed === 0;
  if (!busy && (old || idle)) return dropEntry(entry);
  if (old) retire(entry, open, mostMsOf(limits));
  return undefined;
}

/** By then every call that is under way has been answered or given up. */
function retire(entry: Entry, open: UpstreamLink, afterMs: number): void {
  entry.forget();
  entry.retired.add(open);
  setTimeout(() => void end(entry, open), afterMs).unref();
}

async function end(entry: Entry, open: UpstreamLink): Promise<void> {
  entry.retired.add(open);
  await open.close().finally(() => entry.retired.delete(open));
}

async function dropEntry(entry: Entry): Promise<void> {
  const { link, open } = entry;
  entry.forget();
  if (open) entry.retired.add(open);
  // One that never came up has nothing to close.
  const opened = link?.then(
    (late) => end(entry, late),
    () => undefined,
  );
  await Promise.allSettled([opened, ...[...entry.retired].map((old) => end(entry, old))]);
}
