/** Follows resources at a server in the way of its revision, and hears of those alone that are followed. */
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { isShown } from '../../domain/providers/surface.ts';
import { notTooOften } from '../../kernel/not-too-often.ts';
import type { Connection } from './connection.ts';
import { keepOpen } from './follow-changes.ts';
import { type Greeting, MODERN } from './protocol.ts';

/** How often a server is taken at its word that a resource changed. */
const TELL_EVERY_MS = 200;

type Told = ReturnType<typeof notTooOften>;

export class FollowedResources {
  readonly #connection: Connection;
  readonly #greeting: Greeting;
  readonly #timeoutMs: number;
  #followed = new Map<string, Told>();
  #updated: (uri: string) => void = () => undefined;
  /** Ends the stream of the newer protocol. */
  #stream: AbortController | undefined;

  constructor(connection: Connection, greeting: Greeting, timeoutMs: number) {
    this.#connection = connection;
    this.#greeting = greeting;
    this.#timeoutMs = timeoutMs;
    connection.onUpdated((uri) => this.#followed.get(uri)?.());
  }

  get count(): number {
    return this.#followed.size;
  }

  /** These and no others from now on. A server that cannot be followed is not asked to. */
  async follow(uris: readonly string[], updated: (uri: string) => void): Promise<void> {
    this.#updated = updated;
    const { resources } = this.#greeting.capabilities;
    if (!isShown(resources) || resources.subscribe !== true) return;
    const before = this.#followed;
    const added = uris.filter((uri) => !before.has(uri));
    const gone = [...before.keys()].filter((uri) => !uris.includes(uri));
    if (added.length === 0 && gone.length === 0) return;
    const told = (uri: string): Told => notTooOften(() => this.#updated(uri), TELL_EVERY_MS);
    this.#followed = new Map(uris.map((uri) => [uri, before.get(uri) ?? told(uri)]));
    for (const uri of gone) before.get(uri)?.stop();
    if (this.#greeting.revision === MODERN) return this.#listen(uris);
    for (const uri of gone) await this.#ask('resources/unsubscribe', uri);
    for (const uri of added) await this.#ask('resources/subscribe', uri);
  }

  stop(): void {
    this.#stream?.abort();
    for (const told of this.#followed.values()) told.stop();
  }

  async #ask(method: string, uri: string): Promise<void> {
    try {
      await this.#connection.request(method, { uri }, { timeoutMs: this.#timeoutMs });
    } catch (error) {
      // One that it does not let us follow is one that we hear nothing of.
      if (!(error instanceof UpstreamFailure) || error.kind !== 'refused') throw error;
    }
  }

  /** The new stream is there before the old one goes, so that nothing is said in between. */
  #listen(uris: readonly string[]): void {
    const old = this.#stream;
    this.#stream = undefined;
    if (uris.length > 0) {
      const stream = new AbortController();
      this.#stream = stream;
      const open = (): Promise<boolean> =>
        // A stream that broke is worth another; whether the server is there, others find out.
        this.#connection.listen({ resourceSubscriptions: uris }, stream.signal).catch(() => true);
      const again = (): void => {
        for (const told of this.#followed.values()) told();
      };
      void keepOpen(open, () => stream.signal.aborted || this.#connection.ended, again);
    }
    old?.abort();
  }
}
