import { describe, expect, it } from 'vitest';
import { createIdSource, isUuid } from './ids.ts';

/** A clock that is where it is put. */
function clockAt(start: number) {
  let at = start;
  return {
    now: () => at,
    set: (to: number) => {
      at = to;
    },
  };
}

const AT = Date.UTC(2026, 0, 31, 12);
const fill = (value: number) => (bytes: Uint8Array) => void bytes.fill(value);
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('[CAT-01] a new id', () => {
  it('is a UUID of version 7 and the RFC 9562 variant, with the time in front', () => {
    for (const entropy of [fill(0x00), fill(0xff), undefined]) {
      const id = createIdSource({ now: () => AT }, entropy).next();
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(isUuid(id)).toBe(true);
      expect(timeOf(id)).toBe(AT);
    }
  });

  it('keeps the random bytes it was given apart from version, variant and counter', () => {
    const [low] = [createIdSource({ now: () => AT }, fill(0xff)).next<string>()];
    expect(low.slice(-17)).toBe('bfff-ffffffffffff');
  });

  it('sorts after every id made before it, also within a millisecond', () => {
    const clock = clockAt(AT);
    const source = createIdSource(clock);
    const made: string[] = [];
    for (let i = 0; i < 3_000; i += 1) {
      if (i % 7 === 0) clock.set(clock.now() + 1);
      made.push(source.next());
    }
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
  });

  it('does not go backwards when the clock does', () => {
    const clock = clockAt(AT);
    const source = createIdSource(clock);
    const before = source.next<string>();
    clock.set(AT - 60_000);
    const after = Array.from({ length: 100 }, () => source.next<string>());
    expect([before, ...after]).toEqual([before, ...after].toSorted());
    clock.set(AT + 1);
    expect(timeOf(source.next())).toBe(AT + 1);
  });

  it('borrows from the next millisecond when the counter is full', () => {
    const source = createIdSource({ now: () => AT }, fill(0xff));
    const made = Array.from({ length: 10_000 }, () => source.next<string>());
    expect(made).toEqual(made.toSorted());
    expect(new Set(made).size).toBe(made.length);
    expect(timeOf(made.at(-1) ?? '')).toBeGreaterThan(AT);
  });
});

describe('isUuid', () => {
  it.each(['', 'x', '0199a0b1-1111-7111-8111-11111111111', '0199A0B1-1111-7111-8111-111111111111', ' 0199'])(
    'is false for "%s"',
    (text) => expect(isUuid(text)).toBe(false),
  );
});
