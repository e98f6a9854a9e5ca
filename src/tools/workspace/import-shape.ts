/** What the importing tools share. */
import { z } from 'zod';
import { invalidInput } from '../../kernel/errors.ts';
import { pageArgument } from './page-shape.ts';

export const IMPORT_LIMITS = { inputBytes: 8 * 1024 * 1024, timeoutMs: 300_000 } as const;

export const intoArgument = pageArgument.optional().describe('A page below which everything goes');

export const dryRunArgument = z.boolean().default(false).describe('Only say what would happen');

export const canonicalArgument = z
  .boolean()
  .default(false)
  .describe('Take them as canonical at once; for the owner alone');

export const digestArgument = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .describe('sha256: and 64 hex digits');

/** Of one blob; larger files are several. */
export const MAX_BLOB_BYTES = 6 * 1024 * 1024;

/** Strict: anything that is no base64 would silently be left out. */
export function fromBase64(text: string, field: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalidInput(field, 'must be base64');
  return bytes;
}
