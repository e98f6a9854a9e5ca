/** Imports a folder through the tools: notes in batches, other files as attachments, with a report of what is odd. */
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { DIALECTS, type Dialect } from '../domain/workspace/markdown/dialect.ts';
import { MAX_CONTENT_BYTES } from '../domain/workspace/page.ts';
import { ClashWatch } from './clash-watch.ts';
import { AttachmentSender } from './send-attachments.ts';
import { type FoundFile, type Oddity, walkFolder } from './walk-folder.ts';

/** The command line knows no domain. */
export const DIALECT_NAMES = DIALECTS;
export const isDialect = (name: string): name is Dialect => (DIALECTS as readonly string[]).includes(name);

export type CallTool = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>;

export interface ImportWish {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly into?: string | undefined;
  readonly canonical: boolean;
  readonly dryRun: boolean;
  /** Files that were seen to, and how many there are. */
  readonly onProgress?: (files: number, of: number) => void;
}

export interface ImportReport {
  notes: {
    created: number;
    updated: number;
    unchanged: number;
    proposed: number;
    conflict: number;
    refused: number;
    protected: number;
  };
  /** The run that it was, to accept, reject or undo it by. */
  run?: string;
  /** Earlier runs that still wait, each with how many of these notes. */
  waiting: { readonly run: string; notes: number }[];
  attachments: { attached: number; unchanged: number };
  links: { unresolved: number; ambiguous: number };
  /** What needs a look, at most so many. */
  odd: Oddity[];
  /** How many there were in all. */
  oddities: number;
}

/** Of a batch: small enough for a request whatever its text is escaped to, large enough to be worth a unit. */
const BATCH_FILES = 150;
const BATCH_BYTES = 1_000_000;
const ODDITIES_SHOWN = 5_000;

export async function importFolder(call: CallTool, wish: ImportWish): Promise<ImportReport> {
  const report: ImportReport = {
    notes: { created: 0, updated: 0, unchanged: 0, proposed: 0, conflict: 0, refused: 0, protected: 0 },
    waiting: [],
    attachments: { attached: 0, unchanged: 0 },
    links: { unresolved: 0, ambiguous: 0 },
    odd: [],
    oddities: 0,
  };
  const odd = (oddity: Oddity): void => {
    report.oddities += 1;
    if (report.odd.length < ODDITIES_SHOWN) report.odd.push(oddity);
  };
  const common = { into: wish.into, canonical: wish.canonical, dry_run: wish.dryRun };
  const sender = new AttachmentSender(call, common, report.attachments, odd);
  const notes = new NoteSender(call, { ...common, dialect: wish.dialect }, report, sender, odd);
  const clashes = new ClashWatch(odd);
  const total = wish.onProgress ? await countFiles(wish.folder) : 0;
  let files = 0;
  for await (const file of walkFolder(wish.folder, odd)) {
    files += 1;
    clashes.see(file.path);
    if (file.isNote) await notes.add(file);
    else await sender.add(file);
    wish.onProgress?.(files, total);
  }
  await notes.flush();
  await sender.flush();
  if (!wish.dryRun) await reportLinks(call, report, odd);
  return report;
}

/** A look at names alone is quick. */
async function countFiles(folder: string): Promise<number> {
  let count = 0;
  for await (const _ of walkFolder(folder, () => undefined)) count += 1;
  return count;
}

interface PendingNote {
  readonly file: FoundFile;
  readonly text: string;
}

class NoteSender {
  readonly #call: CallTool;
  readonly #common: Readonly<Record<string, unknown>>;
  readonly #report: ImportReport;
  readonly #files: AttachmentSender;
  readonly #odd: (oddity: Oddity) => void;
  #pending: PendingNote[] = [];
  #bytes = 0;

  constructor(
    call: CallTool,
    common: Readonly<Record<string, unknown>>,
    report: ImportReport,
    files: AttachmentSender,
    odd: (oddity: Oddity) => void,
  ) {
    this.#call = call;
    this.#common = common;
    this.#report = report;
    this.#files = files;
    this.#odd = odd;
  }

  /** What cannot be the text of a page is kept as a file, byte for byte. */
  async add(file: FoundFile): Promise<void> {
    const text = file.size > MAX_CONTENT_BYTES ? undefined : await readText(file.absolute);
    if (text === undefined) {
      this.#odd({ path: file.path, problem: whyNoPage(file.size) });
      await this.#files.add(file);
      return;
    }
    if (this.#pending.length >= BATCH_FILES || this.#bytes + file.size > BATCH_BYTES) await this.flush();
    this.#pending.push({ file, text });
    this.#bytes += file.size;
  }

  async flush(): Promise<void> {
    const batch = this.#pending;
    [this.#pending, this.#bytes] = [[], 0];
    if (batch.length === 0) return;
    const files = batch.map(({ file, text }) => ({ path: file.path, text }));
    const answer = await this.#call('import_pages', { ...this.#common, files });
    this.#report.run = String(answer.run);
    const byPath = new Map(batch.map(({ file }) => [file.path, file]));
    for (const { path, outcome, reason, notes, waiting_run: waits } of answer.files as NoteAnswer[]) {
      this.#report.notes[outcome] += 1;
      if (waits !== undefined) this.#countWaiting(waits);
      for (const problem of notes) this.#odd({ path, problem });
      if (reason === undefined) continue;
      const file = byPath.get(path);
      const keeps = outcome === 'refused' && file !== undefined;
      this.#odd({ path, problem: keeps ? `${reason}; it is kept as a file` : reason });
      if (keeps) await this.#files.add(file);
    }
  }

  #countWaiting(run: string): void {
    const known = this.#report.waiting.find((one) => one.run === run);
    if (known) known.notes += 1;
    else this.#report.waiting.push({ run, notes: 1 });
  }
}

/** Of a note whose bytes cannot be the text of a page. */
export const whyNoPage = (size: number): string =>
  size > MAX_CONTENT_BYTES
    ? `has ${size} bytes, a page holds at most ${MAX_CONTENT_BYTES}; it is kept as a file`
    : 'is not text in UTF-8; it is kept as a file';

interface NoteAnswer {
  readonly path: string;
  readonly outcome: keyof ImportReport['notes'];
  readonly waiting_run?: string;
  readonly reason?: string;
  readonly notes: readonly string[];
}

/** Undefined for bytes that would not come back the same. */
async function readText(path: string): Promise<string | undefined> {
  const bytes = await readFile(path);
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined;
}

async function reportLinks(
  call: CallTool,
  report: ImportReport,
  odd: (oddity: Oddity) => void,
): Promise<void> {
  let cursor: unknown;
  do {
    const part = await call('find_broken_links', cursor === undefined ? {} : { cursor });
    for (const link of part.links as BrokenLink[]) {
      report.links[link.status] += 1;
      const what = link.status === 'ambiguous' ? 'may mean several pages' : 'leads nowhere';
      odd({ path: link.page.path, problem: `the link "${link.written}" ${what}` });
    }
    cursor = part.next_cursor;
  } while (cursor !== undefined);
}

interface BrokenLink {
  readonly page: { readonly path: string };
  readonly status: 'unresolved' | 'ambiguous';
  readonly written: string;
}
