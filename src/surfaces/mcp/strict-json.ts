/**
 * Reads JSON once and strictly: no key twice in one object, no nesting beyond a limit. What was checked is what
 * is used, so nothing can be smuggled past a check that another parser would read differently.
 */
import { isUtf8 } from 'node:buffer';
import { SluiceError } from '../../kernel/errors.ts';

const MAX_DEPTH = 100;

/** Undefined when the bytes are no UTF-8: replacing what is wrong would change what was sent. */
export function decodeStrictly(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    : undefined;
}

export function parseStrictJson(text: string): unknown {
  const written = countKeys(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SluiceError('parse_error', 'The body is not JSON');
    throw error;
  }
  // A key that came twice was written twice and is there once.
  if (keysIn(value) !== written) refuseRepeatedKey(text);
  return value;
}

/** How many keys are written in a text, if it is JSON: one before each colon outside of strings. */
function countKeys(text: string): number {
  let [keys, depth] = [0, 0];
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i) - 1;
        break;
      case COLON:
        keys += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_LIST:
        depth += 1;
        if (depth > MAX_DEPTH)
          throw new SluiceError('parse_error', `The body nests deeper than ${MAX_DEPTH} levels`);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        depth -= 1;
        break;
      default:
    }
  }
  return keys;
}

/** The depth is bounded by now. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += keysIn(item);
    return keys;
  }
  for (const key in value) keys += 1 + keysIn((value as Record<string, unknown>)[key]);
  return keys;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Names the key that came twice, in a text that is JSON: once more over its structure, now with the keys. */
function refuseRepeatedKey(text: string): void {
  // For each open bracket the keys seen so far, or undefined for a list.
  const open: (Set<string> | undefined)[] = [];
  let expectKey = false;
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const end = endOfString(text, i);
        if (expectKey) addKey(open.at(-1), text.slice(i, end));
        expectKey = false;
        i = end - 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST: {
        const isObject = text.charCodeAt(i) === OPEN_OBJECT;
        open.push(isObject ? new Set() : undefined);
        expectKey = isObject;
        break;
      }
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        expectKey = false;
        break;
      case COMMA:
        expectKey = open.at(-1) !== undefined;
        break;
      case COLON:
        expectKey = false;
        break;
      default:
    }
  }
}

/** Just behind the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function addKey(keys: Set<string> | undefined, quoted: string): void {
  if (!keys) return;
  const key = String(JSON.parse(quoted));
  if (keys.has(key))
    throw new SluiceError('parse_error', `The body has the key "${key.slice(0, 100)}" twice in one object`);
  keys.add(key);
}
