import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Roll, type RollMember } from './roll.ts';

const member = (name: number): RollMember & { name: number } => ({ name, place: -1 });

describe('a roll', () => {
  it('holds who came and has not left, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(20))), (steps) => {
        const [roll, there] = [new Roll<ReturnType<typeof member>>(), new Set<number>()];
        const members = Array.from({ length: 21 }, (_, name) => member(name));
        for (const [comes, name] of steps) {
          const one = members[name] as (typeof members)[number];
          if (!comes) expect(roll.remove(one)).toBe(there.delete(name));
          else if (!there.has(name)) {
            there.add(name);
            roll.add(one);
          }
          expect(new Set([...roll].map((each) => each.name))).toEqual(there);
          expect(roll.size).toBe(there.size);
        }
      }),
    );
  });

  it('goes through those that were there, even if they leave on the way', () => {
    const roll = new Roll<ReturnType<typeof member>>();
    const members = [member(0), member(1), member(2)];
    for (const one of members) roll.add(one);
    const met: number[] = [];
    for (const one of roll) {
      met.push(one.name);
      for (const each of members) roll.remove(each);
    }
    expect(met).toEqual([0, 1, 2]);
    expect(roll.size).toBe(0);
  });
});
