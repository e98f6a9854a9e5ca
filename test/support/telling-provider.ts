/** Providers whose tools each answer with one thing, for tests of what becomes of it. */
import { BENIGN, echoTool, type Script } from './scripted-upstream.ts';

type Json = Record<string, unknown>;

/** One tool for each result, by its name. */
export const telling = (results: Readonly<Record<string, Json>>): Script => ({
  ...BENIGN,
  tools: Object.keys(results).map((name) => ({ ...echoTool, name, description: `Tells ${name}.` })),
  results,
});

export const saying = (...texts: readonly string[]): Json => ({
  content: texts.map((text) => ({ type: 'text', text })),
});

/** The smallest picture there is, with other chunks in front of its end. */
export function pictureWith(...chunks: readonly (readonly [kind: string, data: string])[]): string {
  const end = Buffer.from('0000000049454e44ae426082', 'hex');
  const pixels = Buffer.from(
    '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db0',
    'hex',
  );
  const extra = chunks.map(([kind, data]) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(Buffer.byteLength(data));
    // Nobody who leaves chunks out looks at their checksum.
    return Buffer.concat([size, Buffer.from(kind), Buffer.from(data), Buffer.alloc(4)]);
  });
  return Buffer.concat([pixels, ...extra, end]).toString('base64');
}

/** A picture whose comment is this. */
export function photoWith(comment: string): string {
  const size = Buffer.alloc(2);
  size.writeUInt16BE(Buffer.byteLength(comment) + 2);
  const scan = Buffer.from('ffda0008010100003f00d2cf20ffd9', 'hex');
  return Buffer.concat([Buffer.from('ffd8fffe', 'hex'), size, Buffer.from(comment), scan]).toString('base64');
}
