import { describe, expect, it } from 'vitest';
import { createKeyRing, newMasterKey } from './key-ring.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A ring, its file, and what another process makes of that. */
function ring() {
  let file = newMasterKey();
  const open = (text = file) =>
    createKeyRing(text, (next) => {
      file = next;
    });
  const keys = open();
  if (!keys) throw new Error('no key');
  return { keys, file: () => file, open };
}

describe('[CUST-12] keys that are exchanged', () => {
  it('seal with the newest and open with every one that was not forgotten, also in another process', () => {
    const { keys, file, open } = ring();
    const old = file();
    const first = keys.seal('one', 'a');
    keys.renew(1_000);
    const second = keys.seal('two', 'a');
    for (const one of [keys, open()]) {
      expect([one?.open(first, 'a'), one?.open(second, 'a')]).toEqual(['one', 'two']);
      expect(() => one?.open(first, 'b')).toThrow('cannot be opened');
    }
    expect(() => open(old)?.open(second, 'a')).toThrow('cannot be opened');
    expect(open(old)?.open(first, 'a')).toBe('one');
  });

  it('seal anew what an older one sealed, and leave alone what is new or of another home', () => {
    const { keys, open } = ring();
    const before = keys.seal('one', 'a');
    const foreign = ring().keys.seal('one', 'a');
    keys.renew(1_000);
    const again = keys.reseal(before, 'a');
    expect(again).not.toBe(before);
    keys.forgetFormer(1_000 + DAY + 1, DAY);
    expect([keys.open(again, 'a'), open()?.open(again, 'a')]).toEqual(['one', 'one']);
    expect(() => keys.open(before, 'a')).toThrow('cannot be opened');
    for (const same of [again, foreign, 'x']) expect(keys.reseal(same, 'a')).toBe(same);
  });

  it('are forgotten by the time they were exchanged, and never the newest', () => {
    const { keys, file, open } = ring();
    for (const at of [DAY, 2 * DAY]) keys.renew(at);
    expect([keys.hasFormer(2 * DAY, DAY), keys.hasFormer(2 * DAY + 1, DAY)]).toEqual([false, true]);
    keys.forgetFormer(2 * DAY, DAY);
    expect(file().split('\n')).toHaveLength(3);
    keys.forgetFormer(2 * DAY + 1, DAY);
    expect(file().split('\n')).toHaveLength(2);
    keys.forgetFormer(Number.POSITIVE_INFINITY, DAY);
    expect(file()).toMatch(/^[0-9a-f]{64}$/);
    expect(open()?.open(keys.seal('one', 'a'), 'a')).toBe('one');
  });

  it('are forgotten a day after it was noticed that the clock was ahead when they were exchanged', () => {
    const { keys, file, open } = ring();
    for (const at of [DAY - 1, 400 * DAY]) keys.renew(at);
    expect([keys.hasFormer(400 * DAY, DAY), keys.hasFormer(DAY, DAY)]).toEqual([true, true]);
    keys.forgetFormer(DAY, DAY);
    expect(file().split('\n')).toHaveLength(3);
    for (const one of [keys, open()])
      expect([
        one?.hasFormer(DAY, DAY),
        one?.hasFormer(2 * DAY - 1, DAY),
        one?.hasFormer(2 * DAY, DAY),
      ]).toEqual([false, false, true]);
    keys.forgetFormer(2 * DAY, DAY);
    expect(file().split('\n')).toHaveLength(2);
    keys.forgetFormer(2 * DAY + 1, DAY);
    expect(file()).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are bounded in number, and a file with anything else is no key', () => {
    const { keys, file, open } = ring();
    for (let i = 0; i < 16; i += 1) keys.renew(i);
    const full = file();
    expect(() => keys.renew(16)).toThrow('16 times');
    expect(file()).toBe(full);
    for (const text of ['', 'abc', `${full}\n`, `${full}\nabc 1`, full.slice(2)])
      expect(open(text)).toBeUndefined();
  });
});
