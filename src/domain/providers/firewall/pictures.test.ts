import { describe, expect, it } from 'vitest';
import { photoWith, pictureWith } from '../../../../test/support/telling-provider.ts';
import { cleanPicture, readableParts } from './pictures.ts';

const WORDS = 'written into it';
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
const part = (kind: string, data: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(kind), size, data, Buffer.alloc(data.length % 2)]);
};
function webp(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
}
const GIF = Buffer.from('47494638396101000100800000000000ffffff2c00000000010001000002024401003b', 'hex');
const comment = Buffer.concat([
  Buffer.from([0x21, 0xfe, WORDS.length]),
  Buffer.from(WORDS),
  Buffer.from([0]),
]);
const pixels = part('VP8L', Buffer.from([0x2f, 0, 0, 0, 0]));

const PICTURES: readonly (readonly [kind: string, plain: Buffer, written: Buffer])[] = [
  ['image/png', bytes(pictureWith()), bytes(pictureWith(['tEXt', WORDS], ['iTXt', WORDS], ['eXIf', WORDS]))],
  ['image/gif', GIF, Buffer.concat([GIF.subarray(0, 19), comment, GIF.subarray(19)])],
  [
    'image/webp',
    webp(pixels),
    webp(pixels, part('EXIF', Buffer.from(WORDS)), part('XMP ', Buffer.from(WORDS))),
  ],
];

describe('[FIRE-56] pictures', () => {
  it.each(PICTURES)('%s without words stays as it is', (mimeType, plain) => {
    expect(cleanPicture(plain)).toEqual({ mimeType, bytes: plain, removed: [] });
  });

  it.each(PICTURES)('%s with words loses them and nothing else', (_, plain, written) => {
    const clean = cleanPicture(written);
    expect(clean?.bytes).toEqual(plain);
    expect(clean?.removed.map(readableParts).join(' ')).toContain(WORDS);
  });

  it('of a camera loses what it wrote, and what is behind the end', () => {
    const photo = Buffer.concat([bytes(photoWith(WORDS)), Buffer.from(WORDS)]);
    const clean = cleanPicture(photo);
    expect(clean?.bytes.toString('latin1')).not.toContain('written');
    expect(clean?.removed).toHaveLength(2);
    expect(cleanPicture(clean?.bytes ?? photo)?.removed).toEqual([]);
  });

  it.each([
    '',
    '89504e470d0a1a0a',
    'ffd8ff',
    '474946383961',
    '52494646ffffffff574542505650384c',
    '3c7376673e',
  ])('that is none, or broken, is not taken for one (%s)', (hex) => {
    expect(cleanPicture(Buffer.from(hex, 'hex'))).toBeUndefined();
  });
});
