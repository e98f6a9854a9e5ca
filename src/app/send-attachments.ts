/** Sends files that are no notes: first their names and digests, then only the bytes that are not there yet. */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { digestOf } from './answer-parts.ts';
import type { CallTool, ImportReport } from './import-folder.ts';
import type { FoundFile, Oddity } from './walk-folder.ts';

/** Larger files are left out. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** In base64 a part still fits into a request. */
const PART_BYTES = 4 * 1024 * 1024;
const BATCH = 100;

interface Described {
  readonly file: FoundFile;
  readonly digest: string;
  readonly size: number;
  readonly parts: readonly string[];
}

export class AttachmentSender {
  readonly #call: CallTool;
  readonly #common: Readonly<Record<string, unknown>>;
  readonly #report: ImportReport['attachments'];
  readonly #odd: (oddity: Oddity) => void;
  #pending: Described[] = [];

  constructor(
    call: CallTool,
    common: Readonly<Record<string, unknown>>,
    report: ImportReport['attachments'],
    odd: (oddity: Oddity) => void,
  ) {
    this.#call = call;
    this.#common = common;
    this.#report = report;
    this.#odd = odd;
  }

  /** False when it was left out. */
  async add(file: FoundFile): Promise<boolean> {
    if (file.size > MAX_FILE_BYTES) {
      this.#odd({
        path: file.path,
        problem: `has ${file.size} bytes, more than ${MAX_FILE_BYTES}; it was left out`,
      });
      return false;
    }
    const described = await describe(file);
    if (file.digest !== undefined && file.digest !== described.digest) return false;
    this.#pending.push(described);
    if (this.#pending.length >= BATCH) await this.flush();
    return true;
  }

  async flush(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    if (batch.length === 0) return;
    const files = batch.map(({ file, digest, size, parts }) => ({
      path: file.path,
      digest,
      size,
      media_type: MEDIA_TYPES[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
      parts,
    }));
    const first = (await this.#call('import_attachments', { ...this.#common, files })) as unknown as Attached;
    this.#report.unchanged += first.unchanged;
    this.#report.attached += first.attached;
    for (const path of first.protected)
      this.#odd({ path, problem: 'is shown by a canonical page; give --canonical to put it in its place' });
    if (first.missing.length === 0) return;
    const missing = new Set(first.missing);
    const late = files.filter(({ parts }) => parts.some((part) => missing.has(part)));
    if (this.#common.dry_run !== true) {
      await this.#upload(batch, missing);
      await this.#call('import_attachments', { ...this.#common, files: late });
    }
    this.#report.attached += late.length;
  }

  async #upload(batch: readonly Described[], missing: Set<string>): Promise<void> {
    let [blobs, bytes]: [string[], number] = [[], 0];
    const send = async (): Promise<void> => {
      if (blobs.length > 0) await this.#call('upload_blobs', { blobs });
      [blobs, bytes] = [[], 0];
    };
    for (const { file, parts } of batch) {
      if (!parts.some((part) => missing.has(part))) continue;
      for await (const chunk of partsOf(file)) {
        if (!missing.delete(digestOf(chunk))) continue;
        if (bytes + chunk.length > PART_BYTES) await send();
        blobs.push(chunk.toString('base64'));
        bytes += chunk.length;
      }
    }
    await send();
  }
}

interface Attached {
  readonly attached: number;
  readonly unchanged: number;
  readonly missing: readonly string[];
  readonly protected: readonly string[];
}

async function describe(file: FoundFile): Promise<Described> {
  const hash = createHash('sha256');
  const parts: string[] = [];
  let size = 0;
  for await (const chunk of partsOf(file)) {
    hash.update(chunk);
    parts.push(digestOf(chunk));
    size += chunk.length;
  }
  return { file, digest: `sha256:${hash.digest('hex')}`, size, parts };
}

/** Whole parts of a fixed size, so that the same file always gives the same blobs; an empty file is one empty part. */
async function* partsOf({ absolute }: FoundFile): AsyncGenerator<Buffer> {
  const handle = await open(absolute, 'r');
  try {
    let seen = 0;
    for (;;) {
      const part = await readPart(handle);
      if (part.length > 0 || seen === 0) yield part;
      seen += part.length;
      if (part.length < PART_BYTES || seen >= MAX_FILE_BYTES) return;
    }
  } finally {
    await handle.close();
  }
}

async function readPart(handle: FileHandle): Promise<Buffer> {
  const part = Buffer.allocUnsafe(PART_BYTES);
  let filled = 0;
  while (filled < PART_BYTES) {
    const { bytesRead } = await handle.read(part, filled, PART_BYTES - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return part.subarray(0, filled);
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.canvas': 'application/json',
  '.md': 'text/markdown',
};
