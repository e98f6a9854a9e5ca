/** Follows resources at a server in the way of its revision, and hears of those alone that are followed. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { isShown, type Shown } from '../../domain/providers/surface.ts';
import { notTooOften } from '../../kernel/not-too-often.ts';
import type { Connection } from './connection.ts';
import { keepOpen } from './follow-changes.ts';
import { type Greeting, MODERN } from './protocol.ts';

/** How often a server is taken at its word that a resource changed. */
const TELL_EVERY_MS = 200;
/** How long a server has to open a stream, or to say what it tells by one, before we go on without knowing. */
const STANDS_MS = 3_000;

type Told = ReturnType<typeof notTooOften>;

export class FollowedResources {
  readonly #connection: Connection;
  readonly #greeting: Greeting;
  readonly #heard: Promise<void>;
  readonly #timeoutMs: number;
  #followed = new Map<string, Told>();
  #updated: (uri: string) => void = () => undefined;
  /** Ends the stream of the newer protocol. */
  #stream: AbortController | undefined;

  /** `heard` resolves when it can be heard what the server says unasked. */
  constructor(connection: Connection, greeting: Greeting, heard: Promise<void>, timeoutMs: number) {
    this.#connection = connection;
    this.#greeting = greeting;
    this.#heard = heard;
    this.#timeoutMs = timeoutMs;
    connection.onUpdated((uri) => this.#followed.get(uri)?.());
  }

  get count(): number {
    return this.#followed.size;
  }

  /** These and no others from now on; those it refuses. A server that cannot be followed is not asked to. */
  async follow(uris: readonly string[], updated: (uri: string) => void): Promise<readonly string[]> {
    this.#updated = updated;
    const { resources } = this.#greeting.capabilities;
    if (!isShown(resources) || resources.subscribe !== true) return [];
    const before = this.#followed;
    const added = uris.filter((uri) => !before.has(uri));
    const gone = [...before.keys()].filter((uri) => !uris.includes(uri));
    if (added.length === 0 && gone.length === 0) return [];
    const told = (uri: string): Told => notTooOften(() => this.#updated(uri), TELL_EVERY_MS);
    this.#followed = new Map(uris.map((uri) => [uri, before.get(uri) ?? told(uri)]));
    for (const uri of gone) before.get(uri)?.stop();
    if (this.#greeting.revision === MODERN) return this.#listen(uris);
    await within(STANDS_MS, this.#heard);
    return this.#subscribe(added, gone);
  }

  stop(): void {
    this.#stream?.abort();
    for (const told of this.#followed.values()) told.stop();
  }

  async #subscribe(added: readonly string[], gone: readonly string[]): Promise<readonly string[]> {
    const refused: string[] = [];
    const left = new Set(added);
    try {
      for (const uri of gone) await this.#ask('resources/unsubscribe', uri);
      for (const uri of added) {
        if (!(await this.#ask('resources/subscribe', uri))) refused.push(uri);
        left.delete(uri);
      }
    } finally {
      // What it did not answer to is asked for again the next time.
      for (const uri of left) this.#followed.delete(uri);
    }
    return refused;
  }

  /** False when it refuses. */
  async #ask(method: string, uri: string): Promise<boolean> {
    try {
      await this.#connection.request(method, { uri }, { timeoutMs: this.#timeoutMs });
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.kind !== 'refused') throw error;
      return false;
    }
  }

  /** The new stream is there before the old one goes, so that nothing is said in between. */
  async #listen(uris: readonly string[]): Promise<readonly string[]> {
    const old = this.#stream;
    this.#stream = undefined;
    const refused = uris.length > 0 ? await this.#open(uris) : [];
    old?.abort();
    return refused;
  }

  async #open(uris: readonly string[]): Promise<readonly string[]> {
    const stream = new AbortController();
    this.#stream = stream;
    const acknowledged = Promise.withResolvers<Shown | undefined>();
    const options = { signal: stream.signal, onAcknowledged: acknowledged.resolve };
    const open = (): Promise<boolean> =>
      // A stream that broke is worth another; whether the server is there, others find out.
      this.#connection.listen({ resourceSubscriptions: uris }, options).catch(() => true);
    const again = (): void => {
      for (const told of this.#followed.values()) told();
    };
    const isOver = (): boolean => stream.signal.aborted || this.#connection.ended;
    // One that is not opened again although it could be was refused.
    void keepOpen(open, isOver, again).then(() => acknowledged.resolve(isOver() ? undefined : {}));
    const said = await within(STANDS_MS, acknowledged.promise);
    if (!said) return [];
    const told = Array.isArray(said.resourceSubscriptions) ? said.resourceSubscriptions : [];
    return uris.filter((uri) => !told.includes(uri));
  }
}

/** Undefined when it takes longer. */
const within = <T>(ms: number, work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms).unref())]);
