/** Where a property's value stands among others of its kind: numbers by size, days and times by when they are. */
import { propertyType } from './property-types.ts';

export const ORDER_KINDS = ['number', 'date'] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

export interface PropertyOrder {
  readonly kind: OrderKind;
  /** Of a date the milliseconds since the epoch; without a zone it is taken as UTC. */
  readonly at: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Undefined for what has no order: texts, links, yes and no. */
export function orderOf(value: string | number | boolean): PropertyOrder | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { kind: 'number', at: value } : undefined;
  if (typeof value !== 'string') return undefined;
  const type = propertyType(value);
  if (type !== 'date' && type !== 'datetime') return undefined;
  const at = Date.parse(zoned(value, type));
  return Number.isNaN(at) ? undefined : { kind: 'date', at };
}

function zoned(value: string, type: 'date' | 'datetime'): string {
  if (type === 'date') return `${value}T00:00:00Z`;
  const written = value.replace(' ', 'T');
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(written) ? written : `${written}Z`;
}

/** What a bound that is written as text may stand for: a number, a day with all of its hours, or a moment. */
export function boundOf(written: string): (PropertyOrder & { readonly endsAt: number }) | undefined {
  const text = written.trim();
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : undefined;
  const order = orderOf(number ?? text);
  if (!order) return undefined;
  const isDay = order.kind === 'date' && propertyType(text) === 'date';
  return { ...order, endsAt: isDay ? order.at + DAY_MS : order.at };
}
