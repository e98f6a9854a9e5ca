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
  inspect(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SluiceError('parse_error', 'The body is not JSON');
    throw error;
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** One pass over the structure; strings are skipped in whole. Broken JSON is left for the parser to refuse. */
function inspect(text: string): void {
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
        if (open.length > MAX_DEPTH)
          throw new SluiceError('parse_error', `The body nests deeper than ${MAX_DEPTH} levels`);
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
  const key = quoted.includes('\\') ? unescapeKey(quoted) : quoted.slice(1, -1);
  if (keys.has(key))
    throw new SluiceError('parse_error', `The body has the key "${key.slice(0, 100)}" twice in one object`);
  keys.add(key);
}

function unescapeKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) throw new SluiceError('parse_error', 'The body is not JSON');
    throw error;
  }
}
