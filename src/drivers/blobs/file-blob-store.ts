/** Blobs as files named after their content. A blob appears whole or not at all. */
import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import type { BlobInfo, BlobStore } from '../../kernel/ports/blob-store.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const INCOMING = 'incoming';

export function createFileBlobStore(folder: string): BlobStore {
  const pathOf = (digest: string): string => {
    if (!DIGEST.test(digest))
      throw new SluiceError('invalid_input', `"${digest}" is not the digest of a blob`, { field: 'digest' });
    const hex = digest.slice('sha256:'.length);
    return join(folder, hex.slice(0, 2), hex.slice(2));
  };

  const info = async (digest: string): Promise<BlobInfo | undefined> => {
    const found = await statIfThere(pathOf(digest));
    return found && { digest, size: found.size };
  };

  return {
    async put(bytes, limit) {
      const draft = join(folder, INCOMING, randomUUID());
      await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
      try {
        const kept = await writeDraft(draft, bytes, limit);
        const path = pathOf(kept.digest);
        const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await rename(draft, path);
        await syncFolder(dirname(path));
        if (made !== undefined) await syncFolder(folder);
        return kept;
      } finally {
        await rm(draft, { force: true });
      }
    },
    has: (digest) => existsSync(pathOf(digest)),
    keep(bytes, limit) {
      if (bytes.length > limit)
        throw new SluiceError('payload_too_large', `More than ${limit} bytes were sent`);
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      const path = pathOf(digest);
      if (!existsSync(path)) keepFile(folder, path, bytes);
      return { digest, size: bytes.length };
    },
    sizeOf: (digest) => statSync(pathOf(digest), { throwIfNoEntry: false })?.size,
    dropOlder(digest, before) {
      const path = pathOf(digest);
      const there = statSync(path, { throwIfNoEntry: false });
      if (!there || there.mtimeMs >= before) return false;
      rmSync(path, { force: true });
      return true;
    },
    stat: info,
    async *read(digest, range) {
      const found = await info(digest);
      if (!found) throw new SluiceError('not_found', `There is no blob ${digest}`);
      const { start, end } = range ?? { start: 0, end: found.size };
      const hash = createHash('sha256');
      if (start < end) {
        for await (const chunk of createReadStream(pathOf(digest), { start, end: end - 1 })) {
          hash.update(chunk);
          yield chunk;
        }
      }
      const whole = range === undefined || (start === 0 && end >= found.size);
      if (whole && `sha256:${hash.digest('hex')}` !== digest) {
        throw new SluiceError('integrity_failed', `The blob ${digest} does not hold what it is named after`);
      }
    },
    async remove(digest) {
      const there = await info(digest);
      if (there) await rm(pathOf(digest), { force: true });
      return there !== undefined;
    },
    async *list() {
      for (const prefix of await readdirIfThere(folder)) {
        if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
        for (const name of await readdirIfThere(join(folder, prefix))) {
          const found = await info(`sha256:${prefix}${name}`);
          if (found) yield found;
        }
      }
    },
  };
}

/** Durable and whole when it returns. */
function keepFile(folder: string, path: string, bytes: Uint8Array): void {
  const draft = join(folder, INCOMING, randomUUID());
  mkdirSync(dirname(draft), { recursive: true, mode: 0o700 });
  try {
    const file = openSync(draft, 'wx', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    renameSync(draft, path);
    for (const one of [dirname(path), folder]) syncFolderNow(one);
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

async function writeDraft(path: string, bytes: AsyncIterable<Uint8Array>, limit: number): Promise<BlobInfo> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > limit) throw new SluiceError('payload_too_large', `More than ${limit} bytes were sent`);
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readdirIfThere(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
