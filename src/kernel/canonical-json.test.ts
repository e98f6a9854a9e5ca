import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../test/support/seed.ts';
import { canonicalJson, digestJson } from './canonical-json.ts';

/** A double by its bits, as RFC 8785 lists its examples. */
function double(bits: string): number {
  return Buffer.from(bits, 'hex').readDoubleBE(0);
}

describe('[CAT-02] canonical JSON', () => {
  // RFC 8785, appendix B.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonicalJson(double(bits))).toBe(text);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s', (value) => {
    expect(() => canonicalJson([value])).toThrow(TypeError);
  });

  it('orders keys by UTF-16 code units, as section 3.2.3 does', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const order = [...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, name]) => name);
    expect(order).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it('escapes as section 3.2.2 does', () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    );
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect(canonicalJson('\b\t\n\f\r\u0000\u001f')).toBe(String.raw`"\b\t\n\f\r\u0000\u001f"`);
    expect(canonicalJson('\u007f\u2028/')).toBe('"\u007f\u2028/"');
  });

  it('sorts at every level and leaves lists in their order', () => {
    expect(canonicalJson({ b: [{ z: 1, a: 2 }, 3, 1], a: { d: {}, c: [] } })).toBe(
      '{"a":{"c":[],"d":{}},"b":[{"a":2,"z":1},3,1]}',
    );
  });

  it.each([
    ['a lone surrogate', 'a\ud800b'],
    ['a lone surrogate in a key', { '\udfff': 1 }],
    ['a function', { a: () => 1 }],
    ['a big integer', [1n]],
    ['a symbol', Symbol('x')],
    ['nothing', undefined],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it('leaves out what is undefined in an object, as JSON does', () => {
    expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
  });

  it('refuses what is nested too deeply instead of overflowing', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(RangeError);
  });

  it('is one text for one value, whatever the order of its keys, and means the same value', () => {
    const value = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(value, (given) => {
        const text = canonicalJson(given);
        expect(canonicalJson(shuffled(given))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)));
        expect(digestJson(shuffled(given))).toBe(digestJson(given));
      }),
      { seed: testSeed(), numRuns: 300 },
    );
  });
});

/** The same value with the keys of every object the other way round. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
}
