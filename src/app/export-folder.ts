/**
 * Writes the workspace into a folder through the tools. Only files that differ are written, each whole or not at all;
 * a file that no export wrote, or that somebody changed since, is left alone.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkFilePath } from '../domain/workspace/file-path.ts';
import { SluiceError } from '../kernel/errors.ts';
import { digestOf, partsOf, readAttachment } from './answer-parts.ts';
import { digestOfFile, ensureFolder, writeWhole } from './export-files.ts';
import { EXPORT_MARKER, markerText, readMarker } from './export-marker.ts';
import type { CallTool } from './import-folder.ts';
import type { Oddity } from './walk-folder.ts';

export interface ExportWish {
  readonly folder: string;
  readonly under?: string | undefined;
  /** Write over files of others as well. */
  readonly force: boolean;
  /** Write where each page comes from into its frontmatter. */
  readonly provenance?: boolean;
  /** Files that were seen to, and how many there are. */
  readonly onProgress?: (files: number, of: number) => void;
}

export interface ExportReport {
  written: number;
  unchanged: number;
  /** Files of earlier exports whose pages are gone or called otherwise now. */
  removed: number;
  /** Files of others that stand in the way. */
  foreign: number;
  odd: Oddity[];
}

export async function exportFolder(call: CallTool, wish: ExportWish): Promise<ExportReport> {
  await mkdir(wish.folder, { recursive: true });
  const before = await readMarker(wish.folder);
  if (!before && !wish.force && (await readdir(wish.folder)).length > 0)
    throw new SluiceError(
      'conflict',
      `"${wish.folder}" is neither empty nor a former export; --force writes into it all the same`,
      { reason: 'exists' },
    );
  const target = new ExportTarget(wish, before ?? new Map());
  const under = wish.under === undefined ? {} : { under: wish.under };
  if (wish.onProgress) target.expect(await countFiles(call, under));
  const wanted = wish.provenance ? { ...under, provenance: true } : under;
  for await (const part of partsOf(call, 'export_pages', wanted)) {
    for (const { path, text } of part.files as { path: string; text: string }[])
      await target.put(path, Buffer.from(text, 'utf8'));
    await target.mark();
  }
  for await (const files of attachmentsOf(call, under)) {
    for (const { path, full_path, digest } of files)
      await target.putLate(path, digest, () => readAttachment(call, full_path, digest));
    await target.mark();
  }
  await target.removeStale();
  await target.mark();
  return target.report;
}

/** One for each path: where not everybody sees the same file there, the one that fewer do comes last. */
async function* attachmentsOf(
  call: CallTool,
  under: Readonly<Record<string, unknown>>,
): AsyncGenerator<readonly AttachmentAnswer[]> {
  let held: AttachmentAnswer[] = [];
  for await (const part of partsOf(call, 'list_attachments', under)) {
    const files = [...held, ...(part.files as AttachmentAnswer[])];
    const single = files.filter(({ path }, i) => files[i + 1]?.path !== path);
    held = single.splice(-1);
    yield single;
  }
  yield held;
}

/** Names alone, which costs little beside the texts. */
async function countFiles(call: CallTool, under: Readonly<Record<string, unknown>>): Promise<number> {
  let count = 0;
  for (const tool of ['list_page_files', 'list_attachments'])
    for await (const part of partsOf(call, tool, under)) count += (part.files as unknown[]).length;
  return count;
}

interface AttachmentAnswer {
  readonly path: string;
  readonly full_path: string;
  readonly digest: string;
}

class ExportTarget {
  readonly report: ExportReport = { written: 0, unchanged: 0, removed: 0, foreign: 0, odd: [] };
  readonly #wish: ExportWish;
  /** What the exports before wrote and this one has not come to yet. */
  readonly #before: Map<string, string>;
  readonly #now = new Map<string, string>();
  #total = 0;

  constructor(wish: ExportWish, before: Map<string, string>) {
    this.#wish = wish;
    this.#before = before;
  }

  expect(files: number): void {
    this.#total = files;
  }

  put(path: string, bytes: Buffer): Promise<void> {
    return this.putLate(path, digestOf(bytes), async () => bytes);
  }

  /** The bytes are only asked for when they have to be written. */
  async putLate(path: string, digest: string, read: () => Promise<Buffer>): Promise<void> {
    const { folder, force, onProgress } = this.#wish;
    checkFilePath(path);
    const ours = this.#before.get(path);
    this.#before.delete(path);
    const absolute = join(folder, path);
    const problem = await ensureFolder(folder, dirname(path));
    const there = problem === undefined ? await digestOfFile(absolute) : undefined;
    if (problem !== undefined || (there !== undefined && there !== digest && there !== ours && !force)) {
      this.report.foreign += 1;
      this.report.odd.push({ path, problem: problem ?? 'was not written by an export or was changed since' });
      if (ours !== undefined) this.#now.set(path, ours);
    } else {
      if (there === digest) this.report.unchanged += 1;
      else {
        await writeWhole(absolute, await read());
        this.report.written += 1;
      }
      this.#now.set(path, digest);
    }
    onProgress?.(this.#now.size, this.#total);
  }

  /** Only what is still as an export left it. */
  async removeStale(): Promise<void> {
    for (const [path, digest] of this.#before) {
      checkFilePath(path);
      const absolute = join(this.#wish.folder, path);
      if ((await ensureFolder(this.#wish.folder, dirname(path))) !== undefined) continue;
      if ((await digestOfFile(absolute)) !== digest) continue;
      await rm(absolute);
      this.report.removed += 1;
    }
    this.#before.clear();
  }

  /** Again and again, so that a kill in between makes nobody's files of ours. */
  async mark(): Promise<void> {
    const all = new Map([...this.#before, ...this.#now]);
    await writeWhole(join(this.#wish.folder, EXPORT_MARKER), Buffer.from(markerText(all)));
  }
}
