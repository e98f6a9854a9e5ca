/**
 * Requests to providers that wait for an answer of whoever made them. They are kept in memory, few and not for long,
 * and each for the one caller and the one call it was made by; when the time is over the provider is told.
 */
import type { Caller } from '../../kernel/caller.ts';
import type { AskingCall } from './asking-call.ts';
import type { UpstreamQuestion } from './ports/upstream.ts';
import type { ProviderQuestion } from './relay.ts';

/** For whom it waits. */
export interface WaitsFor {
  readonly caller: Caller;
  readonly provider: string;
  /** The name of what was called. */
  readonly entry: string;
}

export interface WaitingCall {
  readonly call: AskingCall;
  /** By the key under which its answer comes. */
  readonly asked: ReadonlyMap<
    string,
    { readonly question: UpstreamQuestion; readonly read: ProviderQuestion }
  >;
}

const PER_CALLER = 4;
const PER_PROVIDER = 16;
const IN_ALL = 64;
const ANSWER_MS = 600_000;
const REMEMBERED = 1_024;

export class WaitingCalls {
  readonly #waiting = new Map<
    string,
    {
      readonly waits: WaitingCall;
      readonly of: WaitsFor;
      readonly timer: NodeJS.Timeout;
      end(answered: boolean): void;
    }
  >();
  readonly #answered = new Set<string>();

  /** Undefined when too many wait already. `ended` resolves with whether it was answered. */
  park(
    id: string,
    of: WaitsFor,
    waits: WaitingCall,
    answerMs = ANSWER_MS,
  ): { giveUp(): void; readonly ended: Promise<boolean> } | undefined {
    const all = [...this.#waiting.values()].map((one) => one.of);
    const full =
      all.length >= IN_ALL ||
      all.filter(({ provider }) => provider === of.provider).length >= PER_PROVIDER ||
      all.filter((other) => isSame(other, of)).length >= PER_CALLER;
    if (full) return undefined;
    const timer = setTimeout(() => this.giveUp(id), answerMs).unref();
    const ended = Promise.withResolvers<boolean>();
    this.#waiting.set(id, { waits, of, timer, end: ended.resolve });
    return { giveUp: () => this.giveUp(id), ended: ended.promise };
  }

  /** Once, and only for whom it waits. */
  take(id: string, by: WaitsFor): WaitingCall | undefined {
    const found = this.#waiting.get(id);
    if (!found || !isSame(found.of, by)) return undefined;
    if (found.of.provider !== by.provider || found.of.entry !== by.entry) return undefined;
    this.#forget(id);
    found.end(true);
    // The oldest goes, which nobody asks for any more.
    if (this.#answered.size >= REMEMBERED) this.#answered.delete([...this.#answered][0] as string);
    this.#answered.add(id);
    return found.waits;
  }

  wasAnswered(id: string): boolean {
    return this.#answered.has(id);
  }

  giveUp(id: string): void {
    const found = this.#waiting.get(id);
    this.#forget(id);
    found?.waits.call.giveUp();
    found?.end(false);
  }

  /** Those whose caller may not go on any more. */
  giveUpWhere(gone: (of: WaitsFor) => boolean): void {
    for (const [id, { of }] of this.#waiting) if (gone(of)) this.giveUp(id);
  }

  #forget(id: string): void {
    clearTimeout(this.#waiting.get(id)?.timer);
    this.#waiting.delete(id);
  }
}

const isSame = (one: WaitsFor, other: WaitsFor): boolean =>
  one.caller.principal.id === other.caller.principal.id;
