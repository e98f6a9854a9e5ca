/** Reads what comes in parts, from the first to the last. */
import { createHash } from 'node:crypto';
import { SluiceError } from '../kernel/errors.ts';
import type { CallTool } from './import-folder.ts';

/** Every part of an answer with a cursor. */
export async function* partsOf(
  call: CallTool,
  tool: string,
  wish: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<Record<string, unknown>> {
  let cursor: unknown;
  do {
    const part = await call(tool, cursor === undefined ? wish : { ...wish, cursor });
    yield part;
    cursor = part.next_cursor;
  } while (cursor !== undefined);
}

/** The bytes of an attachment, and none but those. */
export async function readAttachment(call: CallTool, path: string, digest: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let parts = 1;
  for (let part = 0; part < parts; part += 1) {
    const answer = await call('read_attachment', { path, digest, part });
    parts = answer.parts as number;
    chunks.push(Buffer.from(answer.bytes as string, 'base64'));
  }
  const bytes = Buffer.concat(chunks);
  if (digestOf(bytes) !== digest)
    throw new SluiceError('integrity_failed', `The bytes of "${path}" are not those that were imported`);
  return bytes;
}

export const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
