/** The calls under way: bounds how many there are, and ends those whose time, caller or right is gone. */
import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CredentialId } from '../kernel/ids.ts';
import { Roll, type RollMember } from '../kernel/roll.ts';

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

class Flight implements CallSlot, RollMember {
  place = -1;
  readonly credential: CredentialId;
  readonly principal: string;
  readonly mayGoOn: (() => boolean) | undefined;
  readonly #left: (flight: Flight) => void;
  #reason: SluiceError | undefined;
  #controller: AbortController | undefined;
  #racing: ((reason: SluiceError) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    { credential, principal }: Caller,
    mayGoOn: (() => boolean) | undefined,
    left: (flight: Flight) => void,
  ) {
    this.credential = credential;
    this.principal = principal.id;
    this.mayGoOn = mayGoOn;
    this.#left = left;
  }

  endOnTimeOrCancel(timeoutMs: number, onCancel: OnCancel | undefined): void {
    this.#timer = setTimeout(endLate, timeoutMs, this, timeoutMs).unref();
    this.#stopListening = onCancel?.(() =>
      this.end(new SluiceError('cancelled', 'The caller gave the call up')),
    );
  }

  leave(): void {
    clearTimeout(this.#timer);
    this.#stopListening?.();
    this.#left(this);
  }

  get ended(): boolean {
    return this.#reason !== undefined;
  }

  throwIfEnded(): void {
    if (this.#reason) throw this.#reason;
  }

  end(reason: SluiceError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#racing?.(reason);
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

const endLate = (flight: Flight, timeoutMs: number): void =>
  flight.end(new SluiceError('deadline_exceeded', `The call did not end within ${timeoutMs / 1000} s`));

export function createCallsInFlight(limits: {
  readonly concurrentPerPrincipal: number;
  readonly concurrentInAll: number;
}): CallsInFlight {
  const flights = new Roll<Flight>();
  const perPrincipal = new Map<string, number>();
  let waiting: (() => void)[] = [];

  const leave = (flight: Flight): void => {
    if (!flights.remove(flight)) return;
    const left = (perPrincipal.get(flight.principal) ?? 1) - 1;
    if (left === 0) perPrincipal.delete(flight.principal);
    else perPrincipal.set(flight.principal, left);
    if (flights.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };

  return {
    enter(caller, timeoutMs, onCancel, mayGoOn) {
      const principal = caller.principal.id;
      const running = perPrincipal.get(principal) ?? 0;
      if (flights.size >= limits.concurrentInAll || running >= limits.concurrentPerPrincipal)
        return undefined;
      const flight = new Flight(caller, mayGoOn, leave);
      flights.add(flight);
      perPrincipal.set(principal, running + 1);
      flight.endOnTimeOrCancel(timeoutMs, onCancel);
      return flight;
    },
    endCredential(credential) {
      const revoked = new SluiceError(
        'unauthenticated',
        'The credential was revoked or expired while the call was under way',
      );
      for (const flight of flights) {
        if (flight.credential === credential) flight.end(revoked);
      }
    },
    endForbidden() {
      const forbidden = new SluiceError(
        'denied',
        'The right to the call was taken away while it was under way',
      );
      for (const flight of flights) {
        if (flight.mayGoOn?.() === false) flight.end(forbidden);
      }
    },
    endAll(reason) {
      for (const flight of flights) flight.end(reason);
    },
    idle: () => (flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    get count() {
      return flights.size;
    },
  };
}
