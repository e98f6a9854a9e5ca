/**
 * Takes an answer that passed the firewall apart where it is too long: what is shown at once, and what is kept to be
 * read on. The order of what is shown stays.
 */
import type { ProviderContent, ProviderResult } from '../result.ts';
import { shortenStructure } from './shorten-structure.ts';

export interface LongPart {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

export interface SplitAnswer {
  readonly shown: ProviderResult;
  readonly long: readonly LongPart[];
}

/** Of a text that is kept, this much is shown at once. */
export const FIRST_BYTES = 8_192;
/** A picture or a sound that is larger is kept. */
const BINARY_BYTES = 262_144;

export function splitAnswer(result: ProviderResult, textBytes: number): SplitAnswer {
  const long: LongPart[] = [];
  const texts = result.content.flatMap((block) => textIn(block) ?? []);
  const whole = texts.join('\n');
  const isLong = Buffer.byteLength(whole) > textBytes;
  if (isLong) long.push({ name: 'text', mimeType: 'text/plain', bytes: Buffer.from(whole) });
  let room = Math.min(FIRST_BYTES, textBytes);
  const content = result.content.flatMap((block): ProviderContent[] => {
    const text = textIn(block);
    if (text === undefined) return [withoutBytes(block, long)];
    if (!isLong) return [block];
    const first = firstPart(text, room);
    room -= Buffer.byteLength(first);
    return first === '' ? [] : [{ ...about(block), type: 'text', text: first }];
  });
  return {
    shown: { ...result, content, structured: splitStructure(result.structured, textBytes, long) },
    long,
  };
}

const about = ({ annotations }: ProviderContent): Pick<ProviderContent, 'annotations'> =>
  annotations ? { annotations } : {};

function splitStructure(structured: unknown, textBytes: number, long: LongPart[]): unknown {
  const json = structured === undefined ? undefined : JSON.stringify(structured);
  if (json === undefined || Buffer.byteLength(json) <= textBytes) return structured;
  long.push({ name: 'structure', mimeType: 'application/json', bytes: Buffer.from(json) });
  return shortenStructure(structured, Math.min(FIRST_BYTES, textBytes));
}

function textIn(block: ProviderContent): string | undefined {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined;
}

/** What is too large gives way to words about it. */
function withoutBytes(block: ProviderContent, long: LongPart[]): ProviderContent {
  const found = bytesIn(block);
  if (!found || found.data.length <= BINARY_BYTES) return block;
  const { data, mimeType } = found;
  const kind = mimeType.split('/', 1)[0] === 'image' ? 'image' : 'bytes';
  const part = { name: `${kind}-${long.length + 1}`, mimeType, bytes: Buffer.from(data, 'base64') };
  long.push(part);
  return { type: 'text', text: `[${part.bytes.length} bytes of ${mimeType}, kept as part "${part.name}"]` };
}

function bytesIn(block: ProviderContent): { readonly data: string; readonly mimeType: string } | undefined {
  if (block.type === 'image' || block.type === 'audio') return block;
  if (block.type === 'resource' && 'blob' in block.resource)
    return { data: block.resource.blob, mimeType: block.resource.mimeType };
  return undefined;
}

/** As much as there is room for, whole characters, and whole lines where that costs little. */
function firstPart(text: string, room: number): string {
  if (Buffer.byteLength(text) <= room) return text;
  const cut = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Buffer.from(text).subarray(0, Math.max(0, room)),
    { stream: true },
  );
  const line = cut.lastIndexOf('\n');
  return line > cut.length / 2 ? cut.slice(0, line + 1) : cut;
}
