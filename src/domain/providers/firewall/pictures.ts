/**
 * Pictures without what is written into them: comments, camera data and anything behind their end go, pixels stay.
 * Formats that are known by their first bytes; anything else is no picture to us.
 */
export interface CleanPicture {
  readonly mimeType: string;
  readonly bytes: Buffer;
  /** What was taken out, to be looked at. */
  readonly removed: readonly Buffer[];
}

/** Undefined when it is not one of the known formats, or broken. */
export function cleanPicture(bytes: Buffer): CleanPicture | undefined {
  try {
    if (bytes.subarray(0, 8).equals(PNG)) return { mimeType: 'image/png', ...cleanPng(bytes) };
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return { mimeType: 'image/jpeg', ...cleanJpeg(bytes) };
    if (/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)))
      return { mimeType: 'image/gif', ...cleanGif(bytes) };
    if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
      return { mimeType: 'image/webp', ...cleanWebp(bytes) };
    return undefined;
  } catch (error) {
    // Read past its end: it promises more than it has.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Parts {
  readonly bytes: Buffer;
  readonly removed: readonly Buffer[];
}

class Sorter {
  readonly #kept: Buffer[] = [];
  readonly #removed: Buffer[] = [];

  /** `head` are its first bytes that only say what it is; they would stick to the first word. */
  put(part: Buffer, keep: boolean, head = 0): void {
    if (keep) this.#kept.push(part);
    else this.#removed.push(part.subarray(head));
  }

  done(rest: Buffer): Parts {
    if (rest.length > 0) this.#removed.push(rest);
    return { bytes: Buffer.concat(this.#kept), removed: this.#removed };
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs hIST acTL fcTL fdAT cICP'.split(' '),
);

function cleanPng(bytes: Buffer): Parts {
  const sorter = new Sorter();
  sorter.put(bytes.subarray(0, 8), true);
  let at = 8;
  for (let kind = ''; kind !== 'IEND'; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new RangeError('A chunk without an end');
    kind = bytes.toString('latin1', at + 4, at + 8);
    sorter.put(bytes.subarray(at, end), PNG_KEPT.has(kind), 8);
    at = end;
  }
  return sorter.done(bytes.subarray(at));
}

/** Segments of an application but the two that decide how pixels are read, and comments. */
const isSpoken = (marker: number): boolean =>
  marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee);

function cleanJpeg(bytes: Buffer): Parts {
  const sorter = new Sorter();
  sorter.put(bytes.subarray(0, 2), true);
  let at = 2;
  for (;;) {
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError('No segment where one has to be');
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xd9) break;
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) end = endOfScan(bytes, end);
    if (end > bytes.length) throw new RangeError('A segment without an end');
    sorter.put(bytes.subarray(at, end), !isSpoken(marker), 4);
    at = end;
  }
  sorter.put(bytes.subarray(at, at + 2), true);
  return sorter.done(bytes.subarray(at + 2));
}

/** The next marker after pixels; the escaped one and restarts are among the pixels. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new RangeError('Pixels without an end');
}

function cleanGif(bytes: Buffer): Parts {
  const sorter = new Sorter();
  const colours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes.readUInt8(10));
  sorter.put(bytes.subarray(0, at), true);
  for (let kind = bytes.readUInt8(at); kind !== 0x3b; kind = bytes.readUInt8(at)) {
    const picture = kind === 0x2c;
    if (!picture && kind !== 0x21) throw new RangeError('A block of an unknown kind');
    const label = picture ? 0 : bytes.readUInt8(at + 1);
    const data = picture ? at + 11 + colours(bytes.readUInt8(at + 9)) : at + 2;
    const end = endOfBlocks(bytes, data);
    const loops = label === 0xff && bytes.toString('latin1', at + 3, at + 14) === 'NETSCAPE2.0';
    sorter.put(bytes.subarray(at, end), picture || label === 0xf9 || loops, 3);
    at = end;
  }
  sorter.put(bytes.subarray(at, at + 1), true);
  return sorter.done(bytes.subarray(at + 1));
}

function endOfBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += size + 1;
  return at + 1;
}

const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);

function cleanWebp(bytes: Buffer): Parts {
  const sorter = new Sorter();
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= end; ) {
    const size = bytes.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    if (at + 8 + size > bytes.length) throw new RangeError('A chunk without an end');
    const chunk = Buffer.from(bytes.subarray(at, next));
    const kind = chunk.toString('latin1', 0, 4);
    // It says which of the others there are; of those that go it must not speak any more.
    if (kind === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~0x2c, 8);
    sorter.put(chunk, WEBP_KEPT.has(kind), 8);
    at = next;
  }
  const { bytes: chunks, removed } = sorter.done(bytes.subarray(end));
  if (chunks.length === 0) throw new RangeError('A picture without pixels');
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(chunks.length + 4, 4);
  return { bytes: Buffer.concat([head, chunks]), removed };
}

/** What a person or a model could read of bytes: runs of printable characters, one or two bytes each. */
export function readableParts(bytes: Buffer): string {
  const signs = bytes.toString('latin1');
  const wide = signs.match(/(?:[\x20-\x7e]\0){8,}/g)?.map((run) => run.replaceAll('\0', '')) ?? [];
  return [...(signs.match(/[\x20-\x7e\t\r\n]{8,}/g) ?? []), ...wide].join(' ');
}
