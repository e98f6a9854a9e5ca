/** What is followed by one connection, by whom, and who waits until it is. */
import type { SluiceError } from '../../kernel/errors.ts';
import type { UpstreamLink } from './ports/upstream.ts';
import { refusal } from './refusals.ts';

/** Whoever begins to follow waits so long for the server to know. */
const STANDS_MS = 10_000;

export class Followed {
  readonly provider: string;
  readonly user: string;
  readonly uris = new Map<string, Set<() => void>>();
  /** Those who wait until one is followed, and those that nobody waits for any longer. */
  readonly waiting = new Map<string, PromiseWithResolvers<void>>();
  readonly late = new Set<string>();
  /** What the connection was asked to follow. */
  asked: readonly string[] = [];
  link: UpstreamLink | undefined;
  #woken = Promise.withResolvers<void>();

  constructor(provider: string, user: string) {
    this.provider = provider;
    this.user = user;
  }

  wake(): void {
    this.#woken.resolve();
  }

  /** From now on. */
  woken(): Promise<void> {
    this.#woken = Promise.withResolvers();
    return this.#woken.promise;
  }

  tell(uri: string): void {
    for (const changed of this.uris.get(uri) ?? []) changed();
  }

  async stands(uri: string): Promise<void> {
    if (this.link && !this.link.ended && this.asked.includes(uri)) return;
    const waits = this.waiting.get(uri) ?? Promise.withResolvers<void>();
    this.waiting.set(uri, waits);
    const timer = setTimeout(() => this.goOn([uri]), STANDS_MS).unref();
    await waits.promise.finally(() => clearTimeout(timer));
  }

  /** They are not followed yet; who follows them is told when they are. */
  goOn(uris: Iterable<string>): void {
    for (const uri of uris) {
      this.late.add(uri);
      this.#settle(uri);
    }
  }

  /** From now on the server tells of these, and those who were late may have missed something. */
  begun(uris: readonly string[], refused: readonly string[]): readonly string[] {
    this.asked = uris.filter((uri) => !refused.includes(uri));
    for (const uri of uris) this.#settle(uri, refused.includes(uri) ? notTold(this.provider) : undefined);
    return uris.filter((uri) => this.late.delete(uri));
  }

  forget(uri: string): void {
    this.uris.delete(uri);
    this.late.delete(uri);
    this.asked = this.asked.filter((asked) => asked !== uri);
    this.#settle(uri);
  }

  #settle(uri: string, problem?: SluiceError): void {
    const waits = this.waiting.get(uri);
    this.waiting.delete(uri);
    if (problem) waits?.reject(problem);
    else waits?.resolve();
  }
}

const notTold = (provider: string): SluiceError =>
  refusal('DELEG_CAPABILITY_NOT_ALLOWED', provider, `"${provider}" does not tell when this resource changes`);
