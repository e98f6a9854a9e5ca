/** The bytes of answers that were kept, sealed with the home's key and bound to the answer they are part of. */
import type { BlobStore } from '../../../kernel/ports/blob-store.ts';
import type { SecretBox } from '../../../kernel/ports/secret-box.ts';
import type { AnswerPart } from '../ports/answer-store.ts';
import type { LongPart } from './split-answer.ts';

export interface SealedPartMeans {
  readonly secrets: SecretBox;
  readonly blobs: Pick<BlobStore, 'put' | 'read' | 'has'>;
}

/** Base64 of what was sealed as base64. */
const MAX_SEALED_BYTES = 16 * 1024 * 1024;

const purposeOf = (answer: string, part: string): string => `kept-answer\n${answer}\n${part}`;

export async function sealParts(
  { secrets, blobs }: SealedPartMeans,
  answer: string,
  long: readonly LongPart[],
): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for (const { name, mimeType, bytes } of long) {
    const sealed = secrets.seal(Buffer.from(bytes).toString('base64'), purposeOf(answer, name));
    const { digest } = await blobs.put(once(Buffer.from(sealed)), MAX_SEALED_BYTES);
    parts.push({ name, mimeType, digest, bytes: bytes.length });
  }
  return parts;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export async function openPart(
  { secrets, blobs }: SealedPartMeans,
  answer: string,
  { name, digest }: AnswerPart,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.read(digest)) chunks.push(chunk);
  const opened = secrets.open(Buffer.concat(chunks).toString(), purposeOf(answer, name));
  return Buffer.from(opened, 'base64');
}
