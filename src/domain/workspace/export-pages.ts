/** The workspace as files, part by part: each live page with the path and the bytes it is written with. */
import { z } from 'zod';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { withAliases } from './aliases-in-text.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { FileNames } from './file-names.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import type { FiledPage } from './ports/file-store.ts';
import { withProvenance } from './provenance/frontmatter-provenance.ts';

export interface ExportedFile {
  readonly page: PageId;
  readonly version: string;
  readonly path: string;
  readonly text: string;
  readonly digest: string;
}

/** About as many bytes of text as an answer holds, and as many pages as are looked at for it. */
const MAX_BYTES = 2 * 1024 * 1024;
const PAGE = 200;

const place = z.object({ after: z.string() });

export async function exportPages(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: {
    readonly under?: string | undefined;
    /** Only these, by their ids. */
    readonly pages?: readonly string[] | undefined;
    readonly cursor?: string | undefined;
    /** Also writes where each page comes from into its frontmatter. */
    readonly provenance?: boolean;
    /** Also writes names into it that the page kept when it was renamed. */
    readonly aliases?: boolean;
  },
): Promise<{ readonly files: readonly ExportedFile[]; readonly nextCursor?: string }> {
  const root = wish.under === undefined ? null : await findPage(use, scope, workspace, wish.under, 'under');
  const names = new FileNames(use, scope, workspace);
  const base = root === null ? '' : await names.folderOf(root.id);
  const after = wish.cursor === undefined ? undefined : (readCursor(wish.cursor, place).after as PageId);
  const pages =
    wish.pages === undefined
      ? await use.files.pages(scope, workspace, PAGE, after)
      : (await use.files.filed(scope, workspace, wish.pages as readonly PageId[]))
          .filter(({ id }) => after === undefined || id > after)
          .sort((a, b) => (a.id < b.id ? -1 : 1));
  const below = root === null ? undefined : await idsBelow(use, scope, root.id, pages);
  const files: ExportedFile[] = [];
  let bytes = 0;
  for (const filed of pages) {
    if (below && !below.has(filed.id)) continue;
    const page = await use.pages.find(scope, workspace, filed.id);
    if (!page || (await isFolder(use, scope, workspace, filed))) continue;
    bytes += Buffer.byteLength(page.content);
    if (files.length > 0 && bytes > MAX_BYTES)
      return { files, nextCursor: writeCursor({ after: files.at(-1)?.page }) };
    const path = (await names.notePath(filed)).slice(base.length);
    const content = wish.aliases ? withAliases(page, await use.pages.aliases(scope, page.id)) : page.content;
    const text = wish.provenance
      ? withProvenance({ ...page, content }, await use.events.sourcesOf(scope, page.id))
      : content;
    files.push({ page: page.id, version: page.version, path, text, digest: sha256Hex(text) });
  }
  const last = pages.at(-1);
  return {
    files,
    ...(wish.pages === undefined &&
      pages.length === PAGE &&
      last && { nextCursor: writeCursor({ after: last.id }) }),
  };
}

/** A page without text is a folder if it came from one, or if others lie below it and no file says otherwise. */
export async function isFolder(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  { id, path, isEmpty }: Pick<FiledPage, 'id' | 'path' | 'isEmpty'>,
): Promise<boolean> {
  if (!isEmpty) return false;
  if (path !== null) return path.endsWith('/');
  return ((await use.pages.childCounts(scope, workspace, [id])).get(id) ?? 0) > 0;
}

export async function idsBelow(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  root: PageId,
  pages: readonly { readonly id: PageId }[],
): Promise<ReadonlySet<PageId>> {
  const ways = await use.pages.ways(
    scope,
    pages.map(({ id }) => id),
  );
  const below = pages.filter(({ id }) => id !== root && ways.get(id)?.some((step) => step.id === root));
  return new Set(below.map(({ id }) => id));
}
