/** From what a caller writes to the page it means: an id, a path, an unambiguous slug or title. Never a guess. */
import { SluiceError } from '../../kernel/errors.ts';
import { isUuid, type PageId, type WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceMeans } from './means.ts';
import { nameKey, slugFrom } from './names.ts';
import { type Page, type PageHeader, pathOf } from './page.ts';
import type { NameKind } from './ports/page-store.ts';

type Means = Pick<WorkspaceMeans, 'pages'>;

const MAX_REFERENCE = 2_000;
const CANDIDATES_SHOWN = 10;

/** Throws `not_found`, or `ambiguous` with the candidates. */
export async function findPage(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  field = 'page',
): Promise<PageHeader> {
  const wanted = reference.trim();
  if (wanted === '' || wanted.length > MAX_REFERENCE) {
    throw new SluiceError('invalid_input', `"${field}" must be a page's id, path or slug`, { field });
  }
  const found = isUuid(wanted.toLowerCase())
    ? await byId(use, scope, workspace, wanted.toLowerCase() as PageId)
    : await byWriting(use, scope, workspace, wanted, field);
  if (found) return found;
  throw noPage(reference, field);
}

/** For who does not need one page: none, or those that it would be ambiguous between, a bounded number. */
export async function findAllCalled(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
): Promise<readonly PageId[]> {
  try {
    return [(await findPage(use, scope, workspace, reference)).id];
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error;
    if (error.code === 'ambiguous') return (error.details.candidates as { id: PageId }[]).map(({ id }) => id);
    if (error.code === 'not_found' || error.code === 'invalid_input') return [];
    throw error;
  }
}

/** An id is looked up as nothing else: a title that imitates it would be a trap. */
async function byId(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  id: PageId,
): Promise<PageHeader | undefined> {
  const [page] = await use.pages.headers(scope, workspace, [id]);
  return page && page.trashBatch === null ? page : undefined;
}

async function byWriting(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  wanted: string,
  field: string,
): Promise<PageHeader | undefined> {
  const exact = await byPath(use, scope, workspace, wanted, slugKeys, field);
  if (exact) return exact;
  // A path may also be written in titles, but a slug that only looks like one must not beat the title itself.
  const alike = await byPath(use, scope, workspace, wanted, titleKeys, field);
  if (alike && nameKey(alike.title) === nameKey(segmentsOf(wanted).at(-1) ?? '')) return alike;
  return (await byName(use, scope, workspace, wanted, field)) ?? alike;
}

/** With its text. */
export async function loadPage(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  field = 'page',
): Promise<Page> {
  const header = await findPage(use, scope, workspace, reference, field);
  const page = await use.pages.find(scope, workspace, header.id);
  if (!page) throw noPage(reference, field);
  return page;
}

/** Slug by slug from the root. */
async function byPath(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  keysOf: (segment: string) => readonly string[],
  field: string,
): Promise<PageHeader | undefined> {
  let at: PageHeader | undefined;
  for (const segment of segmentsOf(reference)) {
    const parent: PageId | null = at?.id ?? null;
    at = undefined;
    for (const key of keysOf(segment)) {
      const called = await use.pages.called(scope, workspace, parent, key);
      if (called.length > 1) throw await ambiguous(use, scope, reference, field, called);
      at ??= called[0];
      if (at) break;
    }
    if (!at) return undefined;
  }
  return at;
}

const segmentsOf = (reference: string): string[] => reference.replace(/^\/+|\/+$/g, '').split('/');

const slugKeys = (segment: string): readonly string[] => [nameKey(segment)];

/** Also the slug that a title of that name would give; a name of which nothing is left gives none. */
function titleKeys(segment: string): readonly string[] {
  const slug = slugFrom(segment);
  return slug === '' ? slugKeys(segment) : [nameKey(segment), nameKey(slug)];
}

async function byName(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  reference: string,
  field: string,
): Promise<PageHeader | undefined> {
  const named = await use.pages.named(scope, workspace, [nameKey(reference)]);
  for (const kind of ['slug', 'title', 'alias'] satisfies NameKind[]) {
    const pages = named.filter((match) => match.kind === kind).map((match) => match.page);
    if (pages.length === 1 && pages[0]) return pages[0];
    if (pages.length > 1) throw await ambiguous(use, scope, reference, field, pages);
  }
  return undefined;
}

async function ambiguous(
  use: Means,
  scope: ReadScope,
  reference: string,
  field: string,
  pages: readonly PageHeader[],
): Promise<SluiceError> {
  const shown = pages.slice(0, CANDIDATES_SHOWN);
  const ways = await use.pages.ways(
    scope,
    shown.map((page) => page.id),
  );
  const candidates = shown
    .map((page) => ({ id: page.id, path: pathOf(ways.get(page.id) ?? []), title: page.title }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const isTold = new Set(candidates.map(({ path }) => path)).size === candidates.length;
  const paths = candidates.map(({ id, path }) => (isTold ? `"${path}"` : `"${path}" (${id})`)).join(', ');
  return new SluiceError(
    'ambiguous',
    `"${reference}" fits ${pages.length} pages: ${paths}; give an id${isTold ? ' or a path' : ''}`,
    {
      field,
      candidates,
    },
  );
}

const noPage = (reference: string, field: string): SluiceError =>
  new SluiceError('not_found', `There is no page "${reference}"`, { field });
