import { describe, expect, it } from 'vitest';
import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { CredentialId, PrincipalId, RunId } from '../kernel/ids.ts';
import { createCallsInFlight, onAbort } from './calls-in-flight.ts';

const caller = (name: string, credential = name): Caller => ({
  surface: 'in-process',
  principal: { kind: 'client', id: name as PrincipalId, name },
  credential: credential as CredentialId,
  role: 'client',
  scopes: new Set(),
  reach: 'orchestrator',
  allowedOrigin: 'agent-produced',
  context: { run: 'r' as RunId },
});

const LONG = 60_000;
const forever = new Promise<never>(() => undefined);

describe('[PIPE-07] calls under way', () => {
  it('are bounded for each principal and in all, and make room when they leave', () => {
    const flights = createCallsInFlight({ concurrentPerPrincipal: 2, concurrentInAll: 3 });
    const first = flights.enter(caller('a'), LONG, undefined);
    expect(flights.enter(caller('a'), LONG, undefined)).toBeDefined();
    expect(flights.enter(caller('a'), LONG, undefined)).toBeUndefined();
    expect(flights.enter(caller('b'), LONG, undefined)).toBeDefined();
    expect(flights.enter(caller('c'), LONG, undefined)).toBeUndefined();
    first?.leave();
    first?.leave();
    expect(flights.count).toBe(2);
    expect(flights.enter(caller('a'), LONG, undefined)).toBeDefined();
    expect(flights.enter(caller('a'), LONG, undefined)).toBeUndefined();
  });

  it('are idle when the last one has left', async () => {
    const flights = createCallsInFlight({ concurrentPerPrincipal: 2, concurrentInAll: 2 });
    await flights.idle();
    const slots = [1, 2].map(() => flights.enter(caller('a'), LONG, undefined));
    const order: string[] = [];
    const idle = flights.idle().then(() => order.push('idle'));
    for (const slot of slots) {
      await Promise.resolve();
      order.push('leave');
      slot?.leave();
    }
    await idle;
    expect(order).toEqual(['leave', 'leave', 'idle']);
  });
});

describe('[PIPE-08] a call under way ends', () => {
  const flights = createCallsInFlight({ concurrentPerPrincipal: 10, concurrentInAll: 10 });

  it('at its deadline', async () => {
    const slot = flights.enter(caller('a'), 5, undefined);
    await expect(slot?.race(forever)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(slot?.signal.reason).toBeInstanceOf(SluiceError);
  });

  it('when its caller gives it up, also if that was before it began', async () => {
    const giving = new AbortController();
    const slot = flights.enter(caller('a'), LONG, onAbort(giving.signal));
    giving.abort();
    await expect(slot?.race(forever)).rejects.toMatchObject({ code: 'cancelled' });
    const late = flights.enter(caller('a'), LONG, onAbort(giving.signal));
    await expect(late?.race(forever)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('when its credential is revoked, and no other call does', () => {
    const mine = flights.enter(caller('a', 'token-1'), LONG, undefined);
    const other = flights.enter(caller('a', 'token-2'), LONG, undefined);
    flights.endCredential('token-1' as CredentialId);
    expect(mine?.signal.reason).toMatchObject({ code: 'unauthenticated' });
    expect(other?.signal.aborted).toBe(false);
  });

  it('with everything else', () => {
    const slots = [6, 7].map(() => flights.enter(caller('b'), LONG, undefined));
    flights.endAll(new SluiceError('disabled', 'off'));
    for (const slot of slots) expect(slot?.signal.reason).toMatchObject({ code: 'disabled' });
  });

  it('only while it is under way', () => {
    const giving = new AbortController();
    const slot = flights.enter(caller('a', 'token-8'), LONG, onAbort(giving.signal));
    slot?.leave();
    giving.abort();
    flights.endCredential('token-8' as CredentialId);
    expect(slot?.signal.aborted).toBe(false);
  });
});
