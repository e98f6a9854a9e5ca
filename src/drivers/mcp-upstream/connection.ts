/** One conversation with one upstream server: agrees on a revision, matches answers to requests, bounds every wait. */
import {
  UpstreamFailure,
  type UpstreamProgress,
  type UpstreamQuestion,
} from '../../domain/providers/ports/upstream.ts';
import { isShown, type Shown } from '../../domain/providers/surface.ts';
import { type AskedIn, OpenQuestions } from './open-questions.ts';
import { Patience } from './patience.ts';
import {
  CAPABILITIES,
  CLIENT,
  ENVELOPE,
  type Greeting,
  greetingOf,
  headersOf,
  LEGACY,
  type Mirror,
  MODERN,
  modernGreeting,
  SUBSCRIPTION,
  UNSUPPORTED_VERSION,
} from './protocol.ts';
import { readAnswer } from './read-answer.ts';
import type { Message, Wire, WireListener } from './wire.ts';

/** How long a server may think about whether it knows the newer protocol. */
const PROBE_MS = 3_000;
/** How long a server that let a wait run out has to show that it is still there. */
const PING_MS = 5_000;

export interface RequestOptions {
  /** Without an answer or a step ahead. */
  readonly timeoutMs: number;
  /** In all, however many steps it tells; left out = the same. */
  readonly mostMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (step: UpstreamProgress) => void;
  /** What the server may ask for with this request. */
  readonly capabilities?: Shown | undefined;
  readonly onQuestion?: ((question: UpstreamQuestion) => boolean) | undefined;
}

/** In these something may be asked; in what we ask for ourselves nothing is. */
const OF_CALLERS: readonly unknown[] = ['tools/call', 'prompts/get', 'resources/read', 'completion/complete'];

interface Pending extends AskedIn {
  readonly ofCaller: boolean;
  resolve(result: Shown): void;
  reject(failure: UpstreamFailure): void;
  readonly onProgress: ((step: UpstreamProgress) => void) | undefined;
  /** Told what of that is heard of which a stream was opened for. */
  readonly onAcknowledged?: ((notifications: Shown) => void) | undefined;
}

export interface ListenOptions {
  readonly signal: AbortSignal;
  readonly onAcknowledged: (notifications: Shown) => void;
}

export class Connection implements WireListener {
  readonly #pending = new Map<number, Pending>();
  readonly #onChanged: () => void;
  readonly #mirror: Mirror;
  readonly #onUnsure: () => void;
  readonly #questions = new OpenQuestions(
    (message) => void this.#wire?.send(message, { headers: this.#headers() }).catch(() => undefined),
    () => this.end('it does not stop asking'),
  );
  #wire: Wire | undefined;
  #revision: string | undefined;
  #next = 0;
  #ended: string | undefined;
  #closed: Promise<void> | undefined;
  #doubted = true;
  #mayAsk = false;
  /** A caller's request on the one stream was given up: what is asked now may be about that one. */
  #unsure = false;
  #onUpdated: (uri: string) => void = () => undefined;
  #onLog: (message: Shown) => void = () => undefined;
  readonly #over = Promise.withResolvers<void>();

  /**
   * `onChanged` is called when the server says that what it shows has changed, `onUnsure` when it may not know us any
   * more; `mirror` says what headers repeat.
   */
  constructor(onChanged: () => void, mirror: Mirror, onUnsure: () => void) {
    this.#onChanged = onChanged;
    this.#mirror = mirror;
    this.#onUnsure = onUnsure;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** `capabilities` are what a server of the older protocol may ask for as long as the connection lasts. */
  async begin(wire: Wire, timeoutMs: number, capabilities: Shown = {}): Promise<Greeting> {
    this.#wire = wire;
    this.#mayAsk = Object.keys(capabilities).length > 0;
    const greeting = await this.#agree(wire, timeoutMs, capabilities);
    this.#doubted = false;
    return greeting;
  }

  /** On a revision, the newest first. */
  async #agree(wire: Wire, timeoutMs: number, capabilities: Shown): Promise<Greeting> {
    // A program may stay silent about what it does not know; over HTTP there is always an answer.
    const patienceMs = wire.processes.length > 0 ? Math.min(PROBE_MS, timeoutMs) : timeoutMs;
    const modern = await this.#probe(patienceMs);
    if (modern) return modern;
    const result = await this.request(
      'initialize',
      { protocolVersion: LEGACY, capabilities, clientInfo: CLIENT },
      { timeoutMs },
    );
    this.#revision = String(result.protocolVersion);
    await wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers: this.#headers() });
    return greetingOf(this.#revision, result, result.serverInfo);
  }

  async #probe(timeoutMs: number, again = true): Promise<Greeting | undefined> {
    this.#revision = MODERN;
    try {
      const greeting = modernGreeting(await this.request('server/discover', {}, { timeoutMs }));
      if (greeting) return greeting;
    } catch (error) {
      // Whatever an older server makes of a method it does not know; what is not there at all is not there.
      if (
        !(error instanceof UpstreamFailure) ||
        ['connect', 'gone', 'forbidden', 'credential'].includes(error.kind) ||
        this.ended
      )
        throw error;
      // It knows the newer protocol, and said so by refusing; it is asked once more before the older one is tried.
      if (error.code === UNSUPPORTED_VERSION && again) return this.#probe(timeoutMs, false);
    }
    this.#revision = undefined;
    return undefined;
  }

  /** One request and its answer. A wait that ends early is told to the server. */
  async request(method: string, params: Shown, options: RequestOptions): Promise<Shown> {
    // Where nobody can be asked any more the next call is better served by a new one; those under way are let end.
    if (this.#unsure && this.#mayAsk && OF_CALLERS.includes(method) && this.#ofCallers().length === 0)
      this.end('a call was given up, and it might still ask about that');
    if (this.#ended !== undefined) throw new UpstreamFailure('ended', this.#ended, false);
    this.#next += 1;
    const id = this.#next;
    const meta = {
      ...(params._meta as Shown | undefined),
      ...(this.#revision === MODERN && ENVELOPE),
      ...(this.#revision === MODERN && options.capabilities && { [CAPABILITIES]: options.capabilities }),
      ...(options.onProgress && { progressToken: id }),
    };
    const body = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    return this.#await(id, { jsonrpc: '2.0', id, method, params: body }, options);
  }

  /** Opens the stream on which a server of the newer protocol says what changed; true when it ended in peace. */
  async listen(
    notifications: Shown,
    { signal, onAcknowledged }: Partial<ListenOptions> = {},
  ): Promise<boolean> {
    this.#next += 1;
    const id = this.#next;
    const message = {
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: { notifications, _meta: ENVELOPE },
    };
    const wire = this.#wire as Wire;
    let refused = false;
    const ended = new Promise<void>((resolve) => {
      const reject = (): void => {
        refused = true;
        resolve();
      };
      this.#pending.set(id, { ...UNASKED, id, onAcknowledged, resolve: () => resolve(), reject });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await wire.send(message, { headers: this.#headers(message), ...(signal && { signal }) });
      // A program keeps its one stream; it answers only when it will say nothing more.
      if (!wire.perRequest) await ended;
    } finally {
      this.#pending.delete(id);
      if (signal?.aborted) this.#tellCancelled(id, 'given up');
    }
    return !refused;
  }

  /** Called when the server says that a resource changed, whether anybody wanted to know or not. */
  onUpdated(listener: (uri: string) => void): void {
    this.#onUpdated = listener;
  }

  /** Called with what the server logs. */
  onLog(listener: (message: Shown) => void): void {
    this.#onLog = listener;
  }

  /** What was read so far is not to be relied on. */
  mayHaveChanged(): void {
    this.#onChanged();
  }

  #await(id: number, message: Message, options: RequestOptions): Promise<Shown> {
    const { timeoutMs, mostMs = timeoutMs, signal, onProgress, onQuestion } = options;
    const ofCaller = OF_CALLERS.includes(message.method);
    const stop = new AbortController();
    return new Promise<Shown>((resolve, reject) => {
      const settle = (act: () => void): void => {
        if (!this.#pending.delete(id)) return;
        this.#questions.over(id);
        patience.pause();
        signal?.removeEventListener('abort', giveUp);
        act();
      };
      const leave = (failure: UpstreamFailure): void =>
        settle(() => {
          stop.abort();
          if (ofCaller && !this.#wire?.perRequest) this.#unsure = true;
          this.#tellCancelled(id, failure.kind);
          if (failure.kind === 'timeout') void this.#doubt();
          reject(failure);
        });
      const giveUp = (): void => leave(new UpstreamFailure('cancelled', 'The call was given up', true));
      const patience = new Patience(timeoutMs, mostMs, () =>
        leave(new UpstreamFailure('timeout', `It did not answer within ${timeoutMs} ms`, true)),
      );
      let furthest = Number.NEGATIVE_INFINITY;
      this.#pending.set(id, {
        id,
        ofCaller,
        onProgress(step) {
          // Who only says the same again is no further.
          if (step.progress > furthest) patience.alive();
          furthest = Math.max(furthest, step.progress);
          onProgress?.(step);
        },
        onQuestion,
        pause: () => patience.pause(),
        resume: () => patience.resume(),
        resolve: (result) => settle(() => resolve(result)),
        reject: (failure) => settle(() => reject(failure)),
      });
      if (signal?.aborted) return giveUp();
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#send(id, message, stop.signal);
    });
  }

  /** One that hangs would let every further wait run out; the next call is better served by a new one. */
  async #doubt(): Promise<void> {
    if (this.#doubted) return;
    this.#doubted = true;
    const question = this.#revision === MODERN ? 'server/discover' : 'ping';
    try {
      await this.request(question, {}, { timeoutMs: PING_MS });
    } catch (error) {
      if (error instanceof UpstreamFailure && error.kind === 'timeout')
        await this.close('it does not answer any more');
    }
    this.#doubted = false;
  }

  #send(id: number, message: Message, signal: AbortSignal): void {
    const wire = this.#wire as Wire;
    wire.send(message, { signal, headers: this.#headers(message) }).then(
      // Over HTTP the answer comes with the request; when it does not, none will come.
      () =>
        wire.perRequest &&
        this.#fail(id, new UpstreamFailure('invalid', 'It ended its answer without a result', true)),
      (error: unknown) => {
        // Given up by us, which ends its stream and nothing else.
        if (!this.#pending.has(id)) return;
        const failure = asFailure(error);
        this.#fail(id, failure);
        if (failure.kind === 'ended' || failure.kind === 'forgotten') this.end(failure.message);
      },
    );
  }

  #fail(id: number, failure: UpstreamFailure): void {
    this.#pending.get(id)?.reject(failure);
  }

  /** In the newer protocol over HTTP closing the request says it; elsewhere it is said in words. */
  #tellCancelled(id: number, why: string): void {
    if (this.ended || (this.#revision === MODERN && this.#wire?.perRequest)) return;
    const params = { requestId: id, reason: why };
    this.#wire
      ?.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, { headers: this.#headers() })
      .catch(() => undefined);
  }

  #headers(message?: Message): Readonly<Record<string, string>> {
    return headersOf(this.#revision, message, this.#mirror);
  }

  receive(message: Message, of?: unknown): boolean {
    if (typeof message.method === 'string') {
      if (message.id === undefined) this.#hear(message, of);
      else this.#questions.hear(message, this.#askedIn(of));
      return false;
    }
    const pending = typeof message.id === 'number' ? this.#pending.get(message.id) : undefined;
    if (!pending) return false;
    const answer = readAnswer(message);
    if (answer instanceof UpstreamFailure) pending.reject(answer);
    else pending.resolve(answer);
    return true;
  }

  /**
   * Over HTTP the stream says which request it is about; a program has one stream, so there must be one request, and
   * none before it that was given up.
   */
  #askedIn(of: unknown): Pending | undefined {
    if (this.#wire?.perRequest) return typeof of === 'number' ? this.#pending.get(of) : undefined;
    const [only, ...others] = this.#ofCallers();
    return others.length === 0 && !this.#unsure ? only : undefined;
  }

  #ofCallers(): readonly Pending[] {
    return [...this.#pending.values()].filter(({ ofCaller }) => ofCaller);
  }

  /** What a server may say unasked: that it changed, how far it is, and that it does not ask any more. */
  #hear({ method, params }: Message, of: unknown): void {
    if (method === 'notifications/cancelled' && isShown(params)) this.#questions.withdraw(params.requestId);
    if (typeof method === 'string' && method.endsWith('/list_changed')) this.#onChanged();
    if (method === 'notifications/resources/updated' && isShown(params)) this.#onUpdated(String(params.uri));
    if (method === 'notifications/message' && isShown(params)) this.#onLog(params);
    if (method === 'notifications/subscriptions/acknowledged' && isShown(params)) {
      const stream = this.#wire?.perRequest ? of : (params._meta as Shown | undefined)?.[SUBSCRIPTION];
      const { notifications } = params;
      if (isShown(notifications)) this.#pending.get(Number(stream))?.onAcknowledged?.(notifications);
    }
    if (method !== 'notifications/progress' || !isShown(params)) return;
    const { progressToken, progress, total, message } = params;
    if (typeof progressToken !== 'number' || typeof progress !== 'number') return;
    this.#pending.get(progressToken)?.onProgress?.({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  unsure(): void {
    this.#onUnsure();
  }

  end(reason: string, kind: 'ended' | 'too_large' = 'ended'): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#over.resolve();
    const waiting = [...this.#pending.values()];
    // What is too large is known to be the answer of the only one who waits; of several, nobody's.
    const failure = new UpstreamFailure(waiting.length === 1 ? kind : 'ended', reason, true);
    for (const pending of waiting) pending.reject(failure);
    // Nobody comes back to a connection that has ended, so nothing of it stays open.
    this.#closed = this.#wire?.close();
    this.#closed?.catch(() => undefined);
  }

  async close(reason = 'the connection was closed'): Promise<void> {
    this.end(reason);
    this.#closed ??= this.#wire?.close();
    await this.#closed;
  }
}

const UNASKED = {
  ofCaller: false,
  onProgress: undefined,
  onQuestion: undefined,
  pause: () => undefined,
  resume: () => undefined,
};

const asFailure = (error: unknown): UpstreamFailure =>
  error instanceof UpstreamFailure ? error : new UpstreamFailure('ended', 'The connection broke', true);
