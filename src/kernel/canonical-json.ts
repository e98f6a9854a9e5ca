/** Canonical JSON by RFC 8785: one text for one value, so that digests can be compared. */
import { hash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Deeper values are refused rather than overflowing the stack. */
const MAX_JSON_DEPTH = 128;

export function canonicalJson(value: unknown): string {
  return encode(value, 0);
}

export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export const digestJson = (value: unknown): string => `sha256:${sha256Hex(canonicalJson(value))}`;

function encode(value: unknown, depth: number): string {
  if (depth > MAX_JSON_DEPTH) throw new RangeError(`JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  switch (typeof value) {
    case 'string':
      return encodeString(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : encodeObject(value, depth);
    default:
      throw new TypeError(`A ${typeof value} has no JSON form`);
  }
}

function encodeObject(value: object, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((item) => encode(item ?? null, depth + 1)).join(',')}]`;
  const record = value as Record<string, unknown>;
  // RFC 8785 sorts by UTF-16 code units, which is what Array.prototype.sort does without a comparator.
  const keys = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort();
  return `{${keys.map((key) => `${encodeString(key)}:${encode(record[key], depth + 1)}`).join(',')}}`;
}

function encodeString(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('A lone surrogate has no JSON form');
  return JSON.stringify(text);
}
