/** The calls under way: bounds how many there are, and ends those whose time, caller or right is gone. */
import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CallId, CredentialId } from '../kernel/ids.ts';

export interface CallSlot {
  /** Fires with a typed error as its reason when the call must end. Made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly ended: boolean;
  throwIfEnded(): void;
  /** What the work comes to, or the reason why the call must end if that is earlier. */
  race<T>(work: Promise<T>): Promise<T>;
  leave(): void;
}

/** Hands over what to call when the caller gives up, and gets what takes it back. */
export type OnCancel = (cancel: () => void) => () => void;

export const onAbort =
  (signal: AbortSignal): OnCancel =>
  (cancel) => {
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    return () => signal.removeEventListener('abort', cancel);
  };

export interface CallsInFlight {
  /** Undefined when there are too many already. `mayGoOn` says whether the call would still be allowed. */
  enter(
    callId: CallId,
    caller: Caller,
    timeoutMs: number,
    onCancel: OnCancel | undefined,
    mayGoOn?: () => boolean,
  ): CallSlot | undefined;
  /** Ends every call made with this credential. */
  endCredential(credential: CredentialId): void;
  /** Ends every call that would not be allowed any more. */
  endForbidden(): void;
  endAll(reason: SluiceError): void;
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
  readonly count: number;
}

class Flight {
  readonly credential: CredentialId;
  readonly principal: string;
  readonly mayGoOn: (() => boolean) | undefined;
  #reason: SluiceError | undefined;
  #controller: AbortController | undefined;
  #racing: ((reason: SluiceError) => void) | undefined;

  constructor({ credential, principal }: Caller, mayGoOn: (() => boolean) | undefined) {
    this.credential = credential;
    this.principal = principal.id;
    this.mayGoOn = mayGoOn;
  }

  end(reason: SluiceError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#racing?.(reason);
  }

  get reason(): SluiceError | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#reason) reject(this.#reason);
      this.#racing = reject;
      work.then(resolve, reject);
    });
  }
}

export function createCallsInFlight(limits: {
  readonly concurrentPerPrincipal: number;
  readonly concurrentInAll: number;
}): CallsInFlight {
  const flights = new Map<CallId, Flight>();
  const perPrincipal = new Map<string, number>();
  let waiting: (() => void)[] = [];

  const leave = (callId: CallId): void => {
    const flight = flights.get(callId);
    if (!flight) return;
    flights.delete(callId);
    const left = (perPrincipal.get(flight.principal) ?? 1) - 1;
    if (left === 0) perPrincipal.delete(flight.principal);
    else perPrincipal.set(flight.principal, left);
    if (flights.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    enter(callId, caller, timeoutMs, onCancel, mayGoOn) {
      const principal = caller.principal.id;
      const running = perPrincipal.get(principal) ?? 0;
      if (flights.size >= limits.concurrentInAll || running >= limits.concurrentPerPrincipal)
        return undefined;
      const flight = new Flight(caller, mayGoOn);
      flights.set(callId, flight);
      perPrincipal.set(principal, running + 1);
      const ending = endOnTimeOrCancel(flight, timeoutMs, onCancel);
      return {
        get signal() {
          return flight.signal;
        },
        get ended() {
          return flight.reason !== undefined;
        },
        throwIfEnded() {
          if (flight.reason) throw flight.reason;
        },
        race: (work) => flight.race(work),
        leave() {
          ending();
          leave(callId);
        },
      };
    },
    endCredential(credential) {
      const revoked = new SluiceError(
        'unauthenticated',
        'The credential was revoked or expired while the call was under way',
      );
      for (const flight of flights.values()) {
        if (flight.credential === credential) flight.end(revoked);
      }
    },
    endForbidden() {
      const forbidden = new SluiceError(
        'denied',
        'The right to the call was taken away while it was under way',
      );
      for (const flight of flights.values()) {
        if (flight.mayGoOn?.() === false) flight.end(forbidden);
      }
    },
    endAll(reason) {
      for (const flight of flights.values()) flight.end(reason);
    },
    idle: () => (flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    get count() {
      return flights.size;
    },
  };
}

/** Returns what takes timer and listener away again. */
function endOnTimeOrCancel(flight: Flight, timeoutMs: number, onCancel: OnCancel | undefined): () => void {
  const timer = setTimeout(() => {
    flight.end(new SluiceError('deadline_exceeded', `The call did not end within ${timeoutMs / 1000} s`));
  }, timeoutMs);
  timer.unref();
  const stopListening = onCancel?.(() =>
    flight.end(new SluiceError('cancelled', 'The caller gave the call up')),
  );
  return () => {
    clearTimeout(timer);
    stopListening?.();
  };
}
