/** Takes bytes in. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { IMPORT_LIMITS } from './import-shape.ts';

/** Of one blob; larger files are several. */
const MAX_BLOB_BYTES = 6 * 1024 * 1024;

export const uploadBlobs = defineTool({
  name: 'upload_blobs',
  title: 'Upload bytes',
  summary: 'Keeps bytes under their digest, durably, for import_attachments to refer to.',
  scopes: ['workspace.write'],
  effect: 'external_side_effect',
  idempotent: true,
  limits: IMPORT_LIMITS,
  example: { blobs: ['aGVsbG8='] },
  input: z.object({ blobs: z.array(z.string()).min(1).max(500).describe('Each in base64') }),
  output: z.object({ blobs: z.array(z.object({ digest: z.string(), size: z.int() })) }),
  async handler(use: AttachmentMeans, input) {
    const bytes = input.blobs.map(fromBase64);
    return { blobs: await Promise.all(bytes.map((chunk) => use.blobs.put(once(chunk), MAX_BLOB_BYTES))) };
  },
});

/** Strict: anything that is no base64 would silently be left out. */
function fromBase64(text: string, i: number): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw invalidInput(`blobs.${i}`, 'must be base64');
  return bytes;
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
