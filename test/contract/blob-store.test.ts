/** The blob store: whole or not at all, by content, within limits, and never silently something else. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileBlobStore } from '../../src/drivers/blobs/file-blob-store.ts';
import type { BlobStore } from '../../src/kernel/ports/blob-store.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function* pieces(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const pathOf = (folder: string, digest: string): string => join(folder, digest.slice(7, 9), digest.slice(9));
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

function freshStore(): { folder: string; blobs: BlobStore } {
  const folder = join(temporaryFolder(), 'blobs');
  mkdirSync(folder);
  return { folder, blobs: createFileBlobStore(folder) };
}

describe('the blob store', () => {
  it('[STORE-25] gives bytes back as they were put in, under their digest, for its owner alone', async () => {
    const { blobs, folder } = freshStore();
    const random = randomFor('blobs');
    for (const size of [0, 1, 999, 1_000, 1_001, 300_000]) {
      const bytes = Buffer.from(Array.from({ length: size }, () => random.between(0, 255)));
      const kept = await blobs.put(pieces(bytes, random.between(1, 2_000)), size);
      expect(kept).toEqual({ digest: digestOf(bytes), size });
      expect(await blobs.stat(kept.digest)).toEqual(kept);
      expect((await collect(blobs.read(kept.digest))).equals(bytes)).toBe(true);
      expect(statSync(pathOf(folder, kept.digest)).mode & 0o777).toBe(0o600);
    }
    const listed = [];
    for await (const one of blobs.list()) listed.push(one.size);
    expect(listed.toSorted((x, y) => x - y)).toEqual([0, 1, 999, 1_000, 1_001, 300_000]);
  });

  it('[STORE-25] gives any range of them', async () => {
    const { blobs } = freshStore();
    const random = randomFor('blob ranges');
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7) % 251));
    const { digest } = await blobs.put(pieces(bytes), bytes.length);
    for (let i = 0; i < times(30, 500); i += 1) {
      const [start, end] = [random.between(0, 200_001), random.between(0, 210_000)];
      const read = await collect(blobs.read(digest, { start, end }));
      expect(read.equals(bytes.subarray(start, end)), `${start}–${end}`).toBe(true);
    }
  });

  it('[STORE-26] refuses more than the limit and keeps nothing of it', async () => {
    const { blobs, folder } = freshStore();
    const bytes = Buffer.alloc(5_001, 'x');
    await expect(blobs.put(pieces(bytes), 5_000)).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(filesIn(folder)).toEqual([]);
    await blobs.put(pieces(bytes.subarray(1)), 5_000);
    expect(filesIn(folder)).toHaveLength(1);
  });

  it('[STORE-26] keeps nothing of a stream that breaks off', async () => {
    const { blobs, folder } = freshStore();
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('connection lost');
    }
    await expect(blobs.put(broken(), 1_000)).rejects.toThrow('connection lost');
    expect(filesIn(folder)).toEqual([]);
    expect(await blobs.stat(digestOf(Buffer.from('half')))).toBeUndefined();
  });

  it('[STORE-26] shows no blob to a reader before it is whole, and the same one put twice at once stays one', async () => {
    const { blobs, folder } = freshStore();
    const bytes = Buffer.alloc(50_000, 'y');
    let waiting: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 40_000);
      await gate;
      yield bytes.subarray(40_000);
    }
    const puts = [blobs.put(slow(), 50_000), blobs.put(slow(), 50_000)];
    await new Promise((resolve) => setImmediate(resolve));
    expect(await blobs.stat(digestOf(bytes))).toBeUndefined();
    const listed = [];
    for await (const one of blobs.list()) listed.push(one);
    expect(listed).toEqual([]);
    waiting();
    await Promise.all(puts);
    expect((await collect(blobs.read(digestOf(bytes)))).equals(bytes)).toBe(true);
    expect(filesIn(folder)).toHaveLength(1);
  });

  it('[STORE-27] notices that a blob is not what it is named after', async () => {
    const { blobs, folder } = freshStore();
    const bytes = Buffer.alloc(10_000, 'z');
    const { digest } = await blobs.put(pieces(bytes), 10_000);
    const path = pathOf(folder, digest);
    for (const damage of [
      () => writeFileSync(path, Buffer.concat([bytes.subarray(1), Buffer.from('!')])),
      () => truncateSync(path, 9_999),
      () => writeFileSync(path, Buffer.concat([bytes, bytes])),
      () => truncateSync(path, 0),
    ]) {
      damage();
      await expect(collect(blobs.read(digest))).rejects.toMatchObject({ code: 'integrity_failed' });
    }
    // Putting it again mends it.
    await blobs.put(pieces(bytes), 10_000);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('[STORE-27] takes nothing for a digest that is none', async () => {
    const { blobs, folder } = freshStore();
    writeFileSync(join(dirname(folder), 'secret'), 'secret');
    for (const name of [
      '',
      '../secret',
      'sha256:../secret',
      `sha256:${'a'.repeat(63)}`,
      `sha256:${'A'.repeat(64)}`,
      `md5:${'a'.repeat(64)}`,
    ]) {
      await expect(blobs.stat(name)).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(collect(blobs.read(name))).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(blobs.remove(name)).rejects.toMatchObject({ code: 'invalid_input' });
    }
  });

  it('[STORE-27] says when there is no such blob, and whether it removed one', async () => {
    const { blobs } = freshStore();
    const { digest } = await blobs.put(pieces(Buffer.from('x')), 1);
    expect(await blobs.remove(digest)).toBe(true);
    expect(await blobs.remove(digest)).toBe(false);
    expect(await blobs.stat(digest)).toBeUndefined();
    await expect(collect(blobs.read(digest))).rejects.toMatchObject({ code: 'not_found' });
  });
});
