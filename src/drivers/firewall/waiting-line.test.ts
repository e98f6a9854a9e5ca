import { describe, expect, it } from 'vitest';
import { WaitingLine } from './waiting-line.ts';

/** Work that ends when it is told, and what was begun so far. */
function workshop() {
  const line = new WaitingLine();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const take = (owner: string, name: string, signal?: AbortSignal): Promise<string> =>
    line.take(
      owner,
      () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      },
      signal,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, take, end };
}

describe('[FIRE-60] what waits to be looked at', () => {
  it('is taken one after the other, its owners in turn', async () => {
    const { begun, take, end } = workshop();
    for (const name of ['a1', 'a2', 'a3', 'b1']) void take(name.slice(0, 1), name);
    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      expect(begun.at(-1)).toBe(name);
      await end(name);
    }
    void take('a', 'again');
    expect(begun.at(-1)).toBe('again');
  });

  it('leaves when nobody waits for it, and makes room', async () => {
    const { begun, take, end } = workshop();
    void take('a', 'first');
    const leaving = new AbortController();
    const left = take('a', 'left', leaving.signal);
    const others = ['b', 'c', 'd'].map((name) => take('a', name));
    await expect(take('a', 'one too many')).rejects.toThrow('try again later');
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(take('a', 'never', leaving.signal)).rejects.toThrow('gone');
    others.push(take('a', 'in its place'));
    for (const name of ['first', 'b', 'c', 'd', 'in its place']) await end(name);
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd', 'in its place']);
    expect(begun).not.toContain('left');
  });

  it('is bounded over all owners', async () => {
    const { take, end } = workshop();
    void take('x', 'first');
    const taken = Array.from({ length: 16 }, (_, i) => take(`owner ${i % 8}`, `n${i}`));
    await expect(take('another', 'no')).rejects.toMatchObject({ code: 'unavailable' });
    await end('first');
    for (let i = 0; i < 16; i += 1) for (let n = 0; n < 16; n += 1) await end(`n${n}`);
    expect(await Promise.all(taken)).toHaveLength(16);
  });

  it('goes on after work that failed', async () => {
    const line = new WaitingLine();
    const failed = line.take('a', () => Promise.reject(new Error('broken')));
    const next = line.take('a', async () => 'next');
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
