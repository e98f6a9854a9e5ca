/** The part of the tree that a batch of files concerns: pages that came from files before, and those it makes anew. */
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { DerivedMetadata } from './derive-metadata.ts';
import type { FileNode } from './file-path.ts';
import type { PageToInsert, TextlessPage } from './insert-pages.ts';
import type { Dialect } from './markdown/dialect.ts';
import type { WorkspaceMeans } from './means.ts';
import { checkTitle, slugOf } from './names.ts';
import type { Ancestor, PageHeader } from './page.ts';
import { requireMayAdd } from './permissions/may-write.ts';
import { PlaceAllotment } from './place-allotment.ts';
import { checkDepth, wayTo } from './place-page.ts';
import type { PageFile } from './ports/file-store.ts';

interface NewText {
  readonly path: string;
  readonly text: string;
  readonly derived: DerivedMetadata;
}

export class ImportTree {
  readonly #use: WorkspaceMeans;
  readonly #landing: Landing;
  readonly #workspace: WorkspaceId;
  readonly #root: PageId | null;
  readonly #dialect: Dialect;
  readonly #seenBy: PageFile['seenBy'];
  readonly #files = new Map<string, PageFile>();
  readonly #ways = new Map<PageId | null, readonly Ancestor[]>();
  readonly #places: PlaceAllotment;
  /** Parents before children. */
  readonly created: PageToInsert[] = [];

  constructor(
    use: WorkspaceMeans,
    landing: Landing,
    workspace: WorkspaceId,
    root: PageId | null,
    dialect: Dialect,
    seenBy: PageFile['seenBy'],
  ) {
    this.#use = use;
    this.#landing = landing;
    this.#workspace = workspace;
    this.#root = root;
    this.#dialect = dialect;
    this.#seenBy = seenBy;
    this.#places = new PlaceAllotment(use, landing.tx, workspace);
  }

  async load(paths: readonly string[]): Promise<void> {
    const { tx } = this.#landing;
    const found = await this.#use.files.atPaths(tx, this.#workspace, [...new Set(paths)]);
    for (const file of found) this.#files.set(file.path, file);
  }

  at(path: string): PageFile | undefined {
    return this.#files.get(path);
  }

  /** The folder that stood for a note until it came. */
  folderFor(path: string): PageFile | undefined {
    return path.endsWith('.md') ? this.#files.get(`${path.slice(0, -'.md'.length)}/`) : undefined;
  }

  async create(note: {
    readonly path: string;
    readonly text: string;
    readonly nodes: readonly FileNode[];
    readonly derived: DerivedMetadata;
  }): Promise<{ readonly outcome: 'created'; readonly page: PageId }> {
    const own = note.nodes.at(-1);
    // All that may be refused, before anything is made: half a way of folders must not be left behind.
    for (const node of note.nodes) checkTitle(node.title);
    checkDepth((await this.#wayTo(this.#root)).length + note.nodes.length);
    const parent = await this.parentOf(note.nodes.slice(0, -1));
    const page = await this.#add(own?.title ?? '', parent, note);
    return { outcome: 'created', page };
  }

  /** The page's file lies there now. */
  adopt(path: string, file: PageFile): void {
    this.#files.delete(file.path);
    this.#files.set(path, { ...file, path });
  }

  /** The page that stands for the folders on a way; those that are missing are made. */
  async parentOf(nodes: readonly FileNode[]): Promise<PageId | null> {
    let parent = this.#root;
    for (const node of nodes) {
      const known = this.#files.get(node.note) ?? this.#files.get(node.folder);
      parent = known?.page ?? (await this.#addFolder(node, parent));
    }
    return parent;
  }

  #addFolder(node: FileNode, parent: PageId | null): Promise<PageId> {
    const derived = { tags: [], aliases: [], properties: {} };
    return this.#add(node.title, parent, { path: node.folder, text: '', derived });
  }

  async #add(name: string, parent: PageId | null, { path, text, derived }: NewText): Promise<PageId> {
    const { submission } = this.#landing;
    const title = checkTitle(name);
    const above = await this.#wayTo(parent);
    const place = await this.#places.take(parent, slugOf(title));
    const author = submission.caller.principal.name;
    const page: TextlessPage = {
      id: this.#use.ids.next<PageId>(),
      workspace: this.#workspace,
      parent,
      ...place,
      title,
      icon: null,
      properties: {},
      tags: [],
      origin: submission.origin,
      lifecycle: requireMayAdd(submission, await this.#parentPage(parent), 'path'),
      content: text,
      createdAt: submission.at,
      createdBy: author,
      updatedAt: submission.at,
      updatedBy: author,
      trashBatch: null,
      dialect: this.#dialect,
    };
    const way = [...above, { id: page.id, slug: page.slug, title }];
    const digest = sha256Hex(text);
    const file = {
      page: page.id,
      path,
      digest,
      version: null,
      text: null,
      dialect: this.#dialect,
      seenBy: this.#seenBy,
    };
    this.#ways.set(page.id, way);
    this.#files.set(path, file);
    this.created.push({ page, file, way, derived });
    return page.id;
  }

  /** One that is made in this batch lies where its own parent does. */
  async #parentPage(parent: PageId | null): Promise<Pick<PageHeader, 'title' | 'zone'> | null> {
    if (parent === null) return null;
    const made = this.created.find(({ page }) => page.id === parent)?.page;
    if (made) return this.#parentPage(made.parent);
    const [header] = await this.#use.pages.headers(this.#landing.tx, this.#workspace, [parent]);
    return header ?? null;
  }

  async #wayTo(page: PageId | null): Promise<readonly Ancestor[]> {
    let way = this.#ways.get(page);
    if (!way) {
      way = await wayTo(this.#use, this.#landing.tx.unveiled, page);
      this.#ways.set(page, way);
    }
    return way;
  }
}
