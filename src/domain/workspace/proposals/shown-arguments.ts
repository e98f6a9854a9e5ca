/** The arguments of a kept call as people are shown them: bytes by their digest, and nothing longer than one reads. */
import { sha256Hex } from '../../../kernel/canonical-json.ts';

interface ShownBytes {
  readonly digest: string;
  readonly size: number;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Files come in base64 under this name. */
const BYTES = 'bytes';

/** As a whole; what is longer is cut in each place. */
const MAX_WHOLE = 8_000;
const MAX_TEXT = 200;
const MAX_ITEMS = 20;

export function shownArguments(given: Arguments): Arguments {
  const { content: _, ...rest } = given;
  const told = typeof rest[BYTES] === 'string' ? { ...rest, [BYTES]: bytesOf(rest[BYTES]) } : rest;
  return JSON.stringify(told).length <= MAX_WHOLE ? told : (shortened(told) as Arguments);
}

export const isBytes = (value: unknown): value is ShownBytes =>
  typeof value === 'object' && value !== null && 'digest' in value && 'size' in value;

function bytesOf(base64: string): ShownBytes {
  const bytes = Buffer.from(base64, 'base64');
  return { digest: `sha256:${sha256Hex(bytes)}`, size: bytes.length };
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT).toWellFormed()}… (${value.length} characters)`;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}
