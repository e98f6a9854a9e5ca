/**
 * Brings files of a synced folder in: each new one, each one that changed, merged from the text it was last equal to,
 * and each one that lies elsewhere now. A file without a text only ties a page to the path it was written to.
 */
import { sha256Hex } from '../../../kernel/canonical-json.ts';
import { SluiceError } from '../../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import { type Landing, requireTicket, type WriteTicket } from '../../../kernel/ticket.ts';
import { FileNames } from '../file-names.ts';
import { bringUpToDate, filePlaces } from '../import-pages.ts';
import { ImportTree } from '../import-tree.ts';
import { insertPages } from '../insert-pages.ts';
import type { Dialect } from '../markdown/dialect.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import { requireMayChange, workspaceOf } from '../page-rules.ts';
import type { NewEvent } from '../ports/event-log.ts';
import type { FiledPage, PageFile } from '../ports/file-store.ts';
import { IMPORT_OUTCOMES, type ImportedFile, type Note, readNotes, refusable } from '../read-notes.ts';
import { recordChange } from '../record-change.ts';
import { textOf } from '../revise-page.ts';
import { rememberFile } from '../seen-file.ts';
import { placeFile, pruneFolders } from './place-file.ts';

export interface FolderFile {
  /** Where the page's file is to be. */
  readonly path: string;
  readonly text?: string | undefined;
  /** Left out for a file that is new. */
  readonly page?: string | undefined;
  /** The version that the file was last equal to, and the digest it then had. */
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
  /** The folder says where it lies, not the workspace. */
  readonly moved?: boolean | undefined;
}

/** `stale`: the page is gone, is called otherwise or has another version by now; look again. */
export const SYNC_OUTCOMES = [...IMPORT_OUTCOMES, 'stale'] as const;

export interface SyncedFile extends Omit<ImportedFile, 'outcome'> {
  readonly outcome: (typeof SYNC_OUTCOMES)[number];
  /** The page's version, if its text is the file's. */
  readonly version?: string;
}

export async function syncPages(
  use: WorkspaceMeans,
  ticket: WriteTicket,
  { files, dialect }: { readonly files: readonly FolderFile[]; readonly dialect: Dialect },
): Promise<readonly SyncedFile[]> {
  const landing = requireTicket(ticket, 'page', 'land');
  const batch = new SyncBatch(use, landing, files, dialect);
  await batch.bringIn();
  await batch.tie();
  return batch.outcomes();
}

class SyncBatch {
  readonly done = new Map<string, SyncedFile>();
  readonly #use: WorkspaceMeans;
  readonly #landing: Landing;
  readonly #workspace: WorkspaceId;
  readonly #files: ReadonlyMap<string, FolderFile>;
  readonly #dialect: Dialect;

  constructor(use: WorkspaceMeans, landing: Landing, files: readonly FolderFile[], dialect: Dialect) {
    this.#use = use;
    this.#landing = landing;
    this.#workspace = workspaceOf(landing.submission);
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#dialect = dialect;
  }

  async bringIn(): Promise<void> {
    const { tx } = this.#landing;
    const dialect = this.#dialect;
    const given = [...this.#files.values()].flatMap(({ path, text }) =>
      text === undefined ? [] : { path, text },
    );
    if (given.length === 0) return;
    const { notes, refused } = readNotes({ files: given, dialect }, '');
    for (const file of refused) this.done.set(file.path, file);
    const tree = new ImportTree(this.#use, this.#landing, this.#workspace, null, dialect, 'sync');
    await tree.load(notes.flatMap(({ path, nodes }) => [path, ...nodes.flatMap((n) => [n.note, n.folder])]));
    const pages = await this.#pagesOf(notes);
    const moved = await this.#movable(notes, pages, tree);
    const changed: { readonly note: Note; readonly file: PageFile }[] = [];
    const places = await filePlaces(this.#use, this.#landing, notes);
    for (const note of notes) {
      const page = this.#files.get(note.given)?.page;
      const file = page === undefined ? (tree.at(note.path) ?? tree.folderFor(note.path)) : undefined;
      if (file) changed.push({ note, file });
      else if (page === undefined) {
        const create = () => places.forNote(note, () => tree.create(note));
        this.done.set(note.given, await refusable(note, create));
      }
    }
    const ways = new Map<Note, PageId | null>();
    for (const note of moved) ways.set(note, await tree.parentOf(note.nodes.slice(0, -1)));
    await places.free();
    const events: NewEvent[] = [...(await insertPages(this.#use, this.#landing, tree.created))];
    await this.#place(moved, ways, pages);
    for (const note of notes) {
      const file = await this.#baseOf(note, pages, moved);
      if (file) changed.push({ note, file });
    }
    for (const { note, file } of changed) {
      await tx.breathe();
      const options = { dialect, dryRun: false, seenBy: 'sync' } as const;
      const work = () => bringUpToDate(this.#use, this.#landing, options, note, file);
      const { event, ...outcome } = await refusable(note, work);
      if (event) events.push(event);
      this.done.set(note.given, outcome);
    }
    if (events.length > 0) await recordChange(this.#use, this.#landing, this.#workspace, events);
  }

  async outcomes(): Promise<readonly SyncedFile[]> {
    const { tx } = this.#landing;
    const all: SyncedFile[] = [];
    for (const { path, text } of this.#files.values()) {
      const done = this.done.get(path);
      if (!done) continue;
      const id = done.page as PageId | undefined;
      const page = id === undefined ? undefined : await this.#use.pages.find(tx, this.#workspace, id);
      const isEqual = page !== undefined && (text === undefined || page.content === text);
      all.push(isEqual ? { ...done, version: page.version } : done);
    }
    return all;
  }

  /** Files that were written from their pages. */
  async tie(): Promise<void> {
    const { tx, submission } = this.#landing;
    for (const { path, page: id, version: wanted, text } of this.#files.values()) {
      if (text !== undefined) continue;
      const page =
        id === undefined ? undefined : await this.#use.pages.find(tx, this.#workspace, id as PageId);
      const [filed] = page ? await this.#use.files.filed(tx, this.#workspace, [page.id]) : [];
      const fits = filed && (await this.#names().notePath(filed)) === path && page?.version === wanted;
      if (!page || !fits || (await this.#isTaken(path, page.id))) {
        this.done.set(path, stale(path));
        continue;
      }
      requireMayChange(submission, [page]);
      const digest = sha256Hex(page.content);
      const dialect = filed.dialect;
      const { version } = page;
      const file: PageFile = { page: page.id, path, digest, version, text: null, dialect, seenBy: 'sync' };
      await rememberFile(this.#use, this.#landing, file);
      this.done.set(path, { path, outcome: 'unchanged', page: page.id, notes: [] });
    }
  }

  /** Anew each time, because what it remembers may have changed. */
  #names(): FileNames {
    return new FileNames(this.#use, this.#landing.tx, this.#workspace);
  }

  async #isTaken(path: string, by: PageId): Promise<boolean> {
    const { tx } = this.#landing;
    const pages = await this.#use.files.atPaths(tx, this.#workspace, [path]);
    const files = await this.#use.files.attachmentsAt(tx, this.#workspace, [path]);
    return files.length > 0 || pages.some(({ page }) => page !== by);
  }

  /** Live pages that files name, each with what the store remembers of its file. */
  async #pagesOf(notes: readonly Note[]): Promise<ReadonlyMap<string, TiedPage>> {
    const { tx } = this.#landing;
    const ids = notes.flatMap(({ given }) => (this.#files.get(given)?.page ?? []) as PageId | []);
    const filed = await this.#use.files.filed(tx, this.#workspace, ids);
    const paths = filed.flatMap(({ path }) => path ?? []);
    const bound = new Map(
      (await this.#use.files.atPaths(tx, this.#workspace, paths)).map((file) => [file.page, file]),
    );
    return new Map(filed.map((page) => [page.id, { filed: page, bound: bound.get(page.id) }]));
  }

  /** Moved files whose page is there and whose new place is free, or is left by another of them. */
  async #movable(
    notes: readonly Note[],
    pages: ReadonlyMap<string, TiedPage>,
    tree: ImportTree,
  ): Promise<readonly Note[]> {
    const wanted = notes.filter(({ given }) => this.#files.get(given)?.moved);
    const leaving = new Set(wanted.map(({ given }) => this.#files.get(given)?.page));
    const moved: Note[] = [];
    for (const note of wanted) {
      const there = tree.at(note.path);
      const page = pages.has(this.#files.get(note.given)?.page ?? '') ? await this.#find(note) : undefined;
      if (!page || (there && !leaving.has(there.page))) {
        this.done.set(note.given, stale(note.given));
        continue;
      }
      const result = await refusable(note, async () => {
        requireMayChange(this.#landing.submission, [page]);
        return { outcome: 'unchanged' };
      });
      if (result.outcome === 'unchanged') moved.push(note);
      else this.done.set(note.given, result);
    }
    // All of them leave their places before the first one takes a new one.
    for (const note of moved) {
      const id = (this.#files.get(note.given)?.page ?? '') as PageId;
      await this.#use.files.clearPaths(this.#landing.tx, id);
      const page = pages.get(id);
      if (page) tree.adopt(note.path, page.bound ?? unbound(id, page.filed));
    }
    return moved;
  }

  /** Higher ones first, so that nobody is put below itself on the way. */
  async #place(
    moved: readonly Note[],
    ways: ReadonlyMap<Note, PageId | null>,
    pages: ReadonlyMap<string, TiedPage>,
  ): Promise<void> {
    const left = new Set<PageId | null>();
    for (const note of moved) {
      const page = await this.#find(note);
      const parent = ways.get(note) ?? null;
      if (!page) continue;
      const result = await refusable(note, async () => {
        await placeFile(this.#use, this.#landing, page, note.nodes.at(-1)?.title ?? '', parent);
        return { outcome: 'updated' };
      });
      if (result.outcome !== 'updated') this.done.set(note.given, result);
      else if (page.parent !== parent) left.add(pages.get(page.id)?.filed.parent ?? null);
    }
    await pruneFolders(this.#use, this.#landing, left);
  }

  async #find({ given }: Note): Promise<Page | undefined> {
    const id = this.#files.get(given)?.page as PageId;
    return this.#use.pages.find(this.#landing.tx, this.#workspace, id);
  }

  /** What a file of a known page is merged from; undefined when it is not, or not any more. */
  async #baseOf(
    note: Note,
    pages: ReadonlyMap<string, TiedPage>,
    moved: readonly Note[],
  ): Promise<PageFile | undefined> {
    const file = this.#files.get(note.given);
    if (file?.page === undefined || this.done.has(note.given)) return undefined;
    const tied = pages.get(file.page);
    const path = tied && (moved.includes(note) ? note.path : await this.#names().notePath(tied.filed));
    if (!tied || path !== note.path || (await this.#isTaken(path, tied.filed.id))) {
      this.done.set(note.given, stale(note.given));
      return undefined;
    }
    const { bound, filed } = tied;
    if (bound && (file.version === undefined || bound.digest === file.digest)) return bound;
    const none = unbound(filed.id, filed);
    const page = await this.#find(note);
    return page && file.version !== undefined
      ? { ...none, text: await this.#textAt(page, file.version) }
      : none;
  }

  /** A version that the page never had is no base at all: a home that was restored, a side file of another one. */
  async #textAt(page: Page, version: string): Promise<string> {
    try {
      return await textOf(this.#use, this.#landing.tx, page, version);
    } catch (error) {
      if (error instanceof SluiceError && error.code === 'not_found') return '';
      throw error;
    }
  }
}

interface TiedPage {
  readonly filed: FiledPage;
  readonly bound: PageFile | undefined;
}

/** Nothing was ever agreed on: only a text that is the same can be merged. */
const unbound = (page: PageId, { dialect }: FiledPage): PageFile => ({
  page,
  path: '',
  digest: '',
  version: null,
  text: '',
  dialect,
  seenBy: 'sync',
});

const stale = (path: string): SyncedFile => ({
  path,
  outcome: 'stale',
  reason: 'the page is another by now',
  notes: [],
});
