import { describe, expect, it } from 'vitest';
import type { PrincipalId, RunId } from '../kernel/ids.ts';
import { createRuns, isIdleRun, type RecallRun } from './runs.ts';

const IDLE = 30 * 60_000;
const ann = 'client:ann' as PrincipalId;
const bob = 'client:bob' as PrincipalId;

function runs(recall: RecallRun = async () => undefined) {
  let at = 1_000;
  const clock = { now: () => at };
  const made = createRuns(clock, IDLE, recall);
  return {
    resolve: made.resolve,
    pass: (ms: number) => {
      at += ms;
    },
  };
}

describe('[PIPE-10] a run', () => {
  it('is the one the caller names, under its principal', async () => {
    const { resolve } = runs();
    expect(await resolve(ann, { run: 'r1' })).toBe('client:ann/r1');
    expect(await resolve(bob, { run: 'r1' })).toBe('client:bob/r1');
    expect(await resolve(ann, { run: 'r1', session: 's' })).toBe('client:ann/r1');
  });

  it('is otherwise the session of a client that has one', async () => {
    expect(await runs().resolve(ann, { session: 's1' })).toBe('client:ann/session:s1');
  });

  it('is otherwise one for each principal until it has been idle for half an hour', async () => {
    const { resolve, pass } = runs();
    const first = await resolve(ann, {});
    expect(isIdleRun(first)).toBe(true);
    for (let i = 0; i < 3; i += 1) {
      pass(IDLE - 1);
      expect(await resolve(ann, {})).toBe(first);
    }
    expect(await resolve(bob, {})).not.toBe(first);
    pass(IDLE);
    expect(await resolve(ann, {})).not.toBe(first);
  });

  it('is not kept alive by calls in another run', async () => {
    const { resolve, pass } = runs();
    const first = await resolve(ann, {});
    pass(IDLE - 1);
    await resolve(ann, { run: 'named' });
    pass(1);
    expect(await resolve(ann, {})).not.toBe(first);
  });

  it('goes on after a restart if it was not idle for too long', async () => {
    const asked: [string, number][] = [];
    const { resolve, pass } = runs(async (principal, since) => {
      asked.push([principal, since]);
      return principal === ann ? ('client:ann/idle:7' as RunId) : undefined;
    });
    expect(await resolve(ann, {})).toBe('client:ann/idle:7');
    expect(await resolve(bob, {})).toBe('client:bob/idle:1000');
    pass(IDLE);
    expect(await resolve(ann, {})).toBe(`client:ann/idle:${1_000 + IDLE}`);
    expect(asked).toEqual([
      [ann, 1_000 - IDLE],
      [bob, 1_000 - IDLE],
    ]);
  });

  it('is one for calls that begin together', async () => {
    const answers: (() => void)[] = [];
    const { resolve, pass } = runs(() => new Promise((done) => answers.push(() => done(undefined))));
    const first = resolve(ann, {});
    pass(5);
    const second = resolve(ann, {});
    for (const answer of answers) answer();
    expect(await second).toBe(await first);
  });

  it('is asked for again when the log could not say', async () => {
    let broken = true;
    const { resolve } = runs(async () => {
      if (broken) throw new Error('disk');
      return undefined;
    });
    await expect(resolve(ann, {})).rejects.toThrow('disk');
    broken = false;
    expect(isIdleRun(await resolve(ann, {}))).toBe(true);
  });

  it.each(['', 'a b', 'x'.repeat(129), 'ä', 'a\n', '{}'])('refuses the name "%s"', (run) => {
    expect(() => runs().resolve(ann, { run })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
