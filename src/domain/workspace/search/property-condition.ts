/** What a search asks of a property: that it is there, is something, has something in it, or lies within bounds. */
import { boundOf, type OrderKind } from '../properties/property-order.ts';

export type PropertyCondition =
  | { readonly key: string; readonly is: 'there' | 'missing' }
  | { readonly key: string; readonly is: 'equal' | 'containing'; readonly value: string }
  | {
      readonly key: string;
      readonly is: 'at_least' | 'above' | 'at_most' | 'below';
      readonly kind: OrderKind;
      readonly bound: number;
    };

const SIGNS = /^([^=<>~]+)(<=|>=|=|<|>|~)(.+)$/s;

/** `key=value`, `key~part`, `key>=bound` and so on; undefined for anything else. */
export function readCondition(written: string): PropertyCondition | undefined {
  const [, key, sign, rest = ''] = SIGNS.exec(written) ?? [];
  if (key === undefined) return undefined;
  if (sign === '=') return { key, is: 'equal', value: rest };
  if (sign === '~') return { key, is: 'containing', value: rest };
  return comparison(key, sign as Comparison, rest);
}

export type Comparison = '<' | '<=' | '>' | '>=';

/** A day stands for all of its hours: after it is after the last of them. Undefined for what has no order. */
export function comparison(key: string, sign: Comparison, written: string): PropertyCondition | undefined {
  const bound = boundOf(written);
  if (!bound) return undefined;
  const { kind, at, endsAt } = bound;
  const lasts = endsAt > at;
  if (sign === '<') return { key, is: 'below', kind, bound: at };
  if (sign === '>=') return { key, is: 'at_least', kind, bound: at };
  if (sign === '<=') return { key, is: lasts ? 'below' : 'at_most', kind, bound: endsAt };
  return { key, is: lasts ? 'at_least' : 'above', kind, bound: endsAt };
}
