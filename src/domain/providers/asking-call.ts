/**
 * One request to a provider that may ask before it answers. Whoever made it is there from time to time: each time for
 * one leg, which ends with the answer, or with questions that are to be answered before the next leg.
 */
import type { Asking, UpstreamProgress, UpstreamQuestion } from './ports/upstream.ts';
import { MAX_QUESTIONS } from './relay.ts';
import type { Shown } from './surface.ts';

type EffectState = 'none' | 'in_doubt' | 'known';

/** The call of whoever is there now. */
export interface Leg {
  readonly signal: AbortSignal;
  /** Whether it may be asked this, and can be. */
  canAnswer(method: string): boolean;
  onProgress(step: UpstreamProgress): void;
  onEffect(state: EffectState): void;
}

/** How the request is made, whoever is there. */
export interface SendMeans extends Asking {
  readonly signal: AbortSignal;
  onProgress(step: UpstreamProgress): void;
  onEffect(state: EffectState): void;
}

export type Heard = { readonly raw: Shown } | { readonly questions: readonly UpstreamQuestion[] };

export class AskingCall {
  readonly #stop = new AbortController();
  readonly #answer: Promise<Shown>;
  /** Asked, and not given to anybody yet. */
  readonly #asked: UpstreamQuestion[] = [];
  #leg: Leg;
  #effect: EffectState = 'none';
  #wake: () => void = () => undefined;

  constructor(leg: Leg, asking: Asking, send: (means: SendMeans) => Promise<Shown>) {
    this.#leg = leg;
    this.#answer = send({
      ...asking,
      signal: this.#stop.signal,
      onProgress: (step) => this.#leg.onProgress(step),
      onEffect: (state) => {
        this.#effect = state;
        this.#leg.onEffect(state);
      },
      onQuestion: (question) => this.#hear(question),
    });
    // Nobody may be there when it fails.
    this.#answer.catch(() => undefined);
  }

  /** Until it answers or asks; when the leg is given up, so is the request. */
  async next(leg: Leg): Promise<Heard> {
    this.#leg = leg;
    leg.onEffect(this.#effect);
    const giveUp = (): void => this.#stop.abort(leg.signal.reason);
    leg.signal.addEventListener('abort', giveUp, { once: true });
    if (leg.signal.aborted) giveUp();
    try {
      return await Promise.race([this.#answer.then((raw) => ({ raw })), this.#questions()]);
    } finally {
      // What is said in between is said to nobody.
      this.#leg = { ...leg, onProgress: () => undefined, onEffect: () => undefined };
      leg.signal.removeEventListener('abort', giveUp);
    }
  }

  giveUp(): void {
    this.#stop.abort();
  }

  #hear(question: UpstreamQuestion): boolean {
    const may = this.#leg.canAnswer(question.method);
    if (!may || this.#asked.length >= MAX_QUESTIONS) {
      question.refuse(may ? 'Too many questions at once' : undefined);
      return false;
    }
    this.#asked.push(question);
    this.#wake();
    return true;
  }

  async #questions(): Promise<Heard> {
    if (this.#asked.length === 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return { questions: this.#asked.splice(0) };
  }
}
