/** Bytes in an answer: pictures lose what is written into them, bytes that are text become text, the rest is listened to. */
import type { ProviderContent, ProviderResource } from '../result.ts';
import { cleanPicture, readableParts } from './pictures.ts';

export interface Opened {
  readonly content: readonly ProviderContent[];
  /** What could be read in bytes; looked at, never passed on. */
  readonly heard: readonly string[];
  readonly removed: number;
}

export function openBlocks(content: readonly ProviderContent[]): Opened {
  const heard: string[] = [];
  let removed = 0;
  const opened = content.map((block): ProviderContent => {
    if (block.type === 'audio') heard.push(readableParts(Buffer.from(block.data, 'base64')));
    if (block.type === 'image') {
      const bytes = Buffer.from(block.data, 'base64');
      const picture = cleanPicture(bytes);
      heard.push(...(picture?.removed ?? [bytes]).flatMap(allReadable));
      if (picture?.removed.length === 0 && picture.mimeType === block.mimeType) return block;
      removed += 1;
      return picture
        ? { ...block, mimeType: picture.mimeType, data: picture.bytes.toString('base64') }
        : { type: 'text', text: '(picture removed: only PNG, JPEG, GIF and WebP are passed on)' };
    }
    if (block.type !== 'resource' || !('blob' in block.resource)) return block;
    const { resource, changed } = openResource(block.resource, heard);
    removed += changed ? 1 : 0;
    return { ...block, resource };
  });
  return { content: opened, heard, removed };
}

function openResource(
  { blob, ...about }: Extract<ProviderResource, { readonly blob: string }>,
  heard: string[],
): { readonly resource: ProviderResource; readonly changed: boolean } {
  const bytes = Buffer.from(blob, 'base64');
  const picture = cleanPicture(bytes);
  if (picture) {
    heard.push(...picture.removed.flatMap(allReadable));
    if (picture.removed.length === 0) return { resource: { ...about, blob }, changed: false };
    const clean = picture.bytes.toString('base64');
    return { resource: { ...about, mimeType: picture.mimeType, blob: clean }, changed: true };
  }
  // Bytes that are text are read as text, so they are treated as text.
  const text = bytes.toString('utf8');
  if (!bytes.includes(0) && !text.includes('\ufffd')) return { resource: { ...about, text }, changed: false };
  heard.push(readableParts(bytes));
  return { resource: { ...about, blob }, changed: false };
}

/** Of what is short enough to be words, everything; of the rest what is printable. */
const allReadable = (bytes: Buffer): readonly string[] =>
  bytes.length <= 65_536 ? [readableParts(bytes), bytes.toString('utf8')] : [readableParts(bytes)];
