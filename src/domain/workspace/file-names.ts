/** The file that each page is written to: the one it came from, else one named after its title beside its siblings. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { separatorOf } from './file-path.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey } from './names.ts';
import type { FiledPage } from './ports/file-store.ts';

/** Characters of a title that a file name keeps; the rest of the 255 bytes is for a number and the extension. */
const MAX_NAME_BYTES = 200;

/** Remembers what it found out, so one is made for each call. */
export class FileNames {
  readonly #use: Pick<WorkspaceMeans, 'pages' | 'files'>;
  readonly #scope: ReadScope;
  readonly #workspace: WorkspaceId;
  readonly #paths = new Map<PageId, string>();

  constructor(use: Pick<WorkspaceMeans, 'pages' | 'files'>, scope: ReadScope, workspace: WorkspaceId) {
    this.#use = use;
    this.#scope = scope;
    this.#workspace = workspace;
  }

  /** The note's path, even for a page that was only a folder. */
  async notePath(page: FiledPage): Promise<string> {
    const path = await this.#pathOf(page);
    return path.endsWith('/') ? `${path.slice(0, -1)}.md` : path;
  }

  /** Where files below a page lie, with a slash at the end. */
  async folderOf(id: PageId): Promise<string> {
    const [page] = await this.#use.files.filed(this.#scope, this.#workspace, [id]);
    return page ? (await this.#pathOf(page)).replace(/(\/|\.(md|markdown))$/i, '/') : '';
  }

  async #pathOf(page: FiledPage): Promise<string> {
    if (page.path !== null) return page.path;
    if (!this.#paths.has(page.id)) await this.#nameChildren(page.parent);
    return this.#paths.get(page.id) ?? `${page.id}.md`;
  }

  /** Names for all children without a file of their own, in their order, none that a sibling's file has. */
  async #nameChildren(parent: PageId | null): Promise<void> {
    const base = await this.#baseBelow(parent);
    const children = await this.#use.files.children(this.#scope, this.#workspace, parent);
    const taken = new Set(children.flatMap(({ path }) => (path === null ? [] : [keyOf(path)])));
    const nameless = children.filter(({ path }) => path === null);
    // A dot in a title would be a level of the hierarchy.
    const nameOf = (title: string): string =>
      base.endsWith('.') ? fileNameOf(title).replaceAll('.', '-') : fileNameOf(title);
    const wanted = nameless.map(({ title }) => `${base}${nameOf(title)}.md`);
    for (const path of await this.#elsewhere(wanted)) taken.add(keyOf(path));
    const next = new Map<string, number>();
    for (const { id, title } of nameless) {
      const name = nameOf(title);
      let path = `${base}${name}.md`;
      for (let n = next.get(nameKey(name)) ?? 2; taken.has(keyOf(path)); n += 1) {
        path = `${base}${name} ${n}.md`;
        next.set(nameKey(name), n + 1);
      }
      taken.add(keyOf(path));
      this.#paths.set(id, path);
    }
  }

  /** Dots and bars instead of folders, where the parent's own file is written so. */
  async #baseBelow(parent: PageId | null): Promise<string> {
    if (parent === null) return '';
    const [page] = await this.#use.files.filed(this.#scope, this.#workspace, [parent]);
    if (!page) return '';
    const path = await this.#pathOf(page);
    const separator = path.endsWith('/') ? '/' : (separatorOf(page.dialect) ?? '/');
    return path.replace(/(\/|\.(md|markdown))$/i, '') + separator;
  }

  async #elsewhere(paths: readonly string[]): Promise<readonly string[]> {
    const pages = await this.#use.files.atPaths(this.#scope, this.#workspace, paths);
    const files = await this.#use.files.attachmentsAt(this.#scope, this.#workspace, paths);
    return [...pages, ...files].map(({ path }) => path);
  }
}

/** Files of one folder must differ by more than case or form, for systems that see no difference. */
const keyOf = (path: string): string => nameKey(path.replace(/\/$/, '.md'));

const RESERVED = /^(con|prn|aux|nul|(?:com|lpt)\d)(?=\.|$)/i;

/** A title as a file name on every system. */
function fileNameOf(title: string): string {
  const name = title
    .replace(/[/\\:*?"<>|\p{Cc}]/gu, '-')
    .replace(/^\.+|[. ]+$/g, '')
    .replace(RESERVED, '$1-');
  let cut = '';
  for (const character of name) {
    if (Buffer.byteLength(cut + character) > MAX_NAME_BYTES) break;
    cut += character;
  }
  return cut.trim() || 'Page';
}
