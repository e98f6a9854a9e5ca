/** Takes bytes in. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { AttachmentMeans } from './attachment-means.ts';
import { fromBase64, IMPORT_LIMITS, MAX_BLOB_BYTES } from './import-shape.ts';

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
  async handler(use: AttachmentMeans, input, call) {
    const bytes = input.blobs.map((text, i) => fromBase64(text, `blobs.${i}`));
    const blobs = await Promise.all(bytes.map((chunk) => use.blobs.put(once(chunk), MAX_BLOB_BYTES)));
    use.sent.note(
      call.caller.principal,
      blobs.map(({ digest }) => digest),
    );
    return { blobs };
  },
});

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}
