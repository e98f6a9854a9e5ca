/** The calls under way: bounds how many there are, and ends those whose time, caller or right is gone. */
import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CallId, CredentialId } from '../kernel/ids.ts';

export interface CallSlot {
  /** Fires with a typed error as its reason when the call must end. */
  readonly signal: AbortSignal;
  /** Rejects when the signal fires, for racing. */
  readonly aborted: Promise<never>;
  leave(): void;
}

export interface CallsInFlight {
  /** Undefined when there are too many already. `mayGoOn` says whether the call would still be allowed. */
  enter(
    callId: CallId,
    caller: Caller,
    timeoutMs: number,
    given: AbortSignal | undefined,
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

interface Flight {
  readonly credential: CredentialId;
  readonly principal: string;
  readonly controller: AbortController;
  readonly mayGoOn: (() => boolean) | undefined;
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
    enter(callId, caller, timeoutMs, given, mayGoOn) {
      const principal = caller.principal.id;
      const running = perPrincipal.get(principal) ?? 0;
      if (flights.size >= limits.concurrentInAll || running >= limits.concurrentPerPrincipal)
        return undefined;
      const controller = new AbortController();
      flights.set(callId, { credential: caller.credential, principal, controller, mayGoOn });
      perPrincipal.set(principal, running + 1);
      const ending = endOnTimeOrCancel(controller, timeoutMs, given);
      return {
        signal: controller.signal,
        get aborted() {
          return rejection(controller.signal);
        },
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
        if (flight.credential === credential) flight.controller.abort(revoked);
      }
    },
    endForbidden() {
      const forbidden = new SluiceError(
        'denied',
        'The right to the call was taken away while it was under way',
      );
      for (const flight of flights.values()) {
        if (flight.mayGoOn?.() === false) flight.controller.abort(forbidden);
      }
    },
    endAll(reason) {
      for (const flight of flights.values()) flight.controller.abort(reason);
    },
    idle: () => (flights.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    get count() {
      return flights.size;
    },
  };
}

/** Returns what takes timer and listener away again. */
function endOnTimeOrCancel(
  controller: AbortController,
  timeoutMs: number,
  given: AbortSignal | undefined,
): () => void {
  const timer = setTimeout(() => {
    controller.abort(
      new SluiceError('deadline_exceeded', `The call did not end within ${timeoutMs / 1000} s`),
    );
  }, timeoutMs);
  timer.unref();
  const cancel = (): void => controller.abort(new SluiceError('cancelled', 'The caller gave the call up'));
  if (given?.aborted) cancel();
  given?.addEventListener('abort', cancel, { once: true });
  return () => {
    clearTimeout(timer);
    given?.removeEventListener('abort', cancel);
  };
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
