/**
 * Part of step 12: arguments that a transport repeats outside of the message must say the same there, or whoever
 * decided by what is outside decided about another call.
 */
import type { JsonSchema } from '../../catalogue/schema.ts';
import { SluiceError } from '../../kernel/errors.ts';

/** The keyword of a property that is repeated, and under which name. */
const KEYWORD = 'x-mcp-header';

/** `mirrored` gives what was sent under a name, undefined for nothing. */
export function matchHeaders(
  schema: JsonSchema,
  given: unknown,
  mirrored: (name: string) => string | undefined,
): void {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  for (const [key, property] of Object.entries(properties)) {
    const value = isObject(given) ? given[key] : undefined;
    const name = property[KEYWORD];
    if (typeof name === 'string') matchOne(name, key, value, mirrored(name));
    if (isObject(value)) matchHeaders(property, value, mirrored);
  }
}

function matchOne(name: string, key: string, value: unknown, sent: string | undefined): void {
  if (value === undefined || value === null || typeof value === 'object') return;
  const header = `Mcp-Param-${name}`;
  const wrong = (why: string): SluiceError =>
    new SluiceError('header_mismatch', `The header "${header}" ${why}`, { field: key });
  if (sent === undefined) throw wrong(`is missing, though "${key}" is given`);
  const decoded = decodeHeader(sent);
  if (decoded === undefined) throw wrong('is not valid base64');
  const same = typeof value === 'number' ? isNumber(decoded, value) : decoded === String(value);
  if (!same) throw wrong(`does not say what "${key}" says`);
}

const isNumber = (text: string, value: number): boolean =>
  /^-?\d+(\.\d+)?$/.test(text) && Number(text) === value;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What a header cannot carry comes as base64 of its UTF-8 between marks. */
function decodeHeader(text: string): string | undefined {
  const [, encoded] = /^=\?base64\?(.*)\?=$/s.exec(text) ?? [];
  if (encoded === undefined) return text;
  if (!BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded).equals(bytes) ? decoded : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
