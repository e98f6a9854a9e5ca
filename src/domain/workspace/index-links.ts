/** From a page's text to its entries in the link index. */
import type { PageId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { BlockScan } from './markdown/block-scan.ts';
import { findLinks } from './markdown/find-links.ts';
import type { LinkSpan } from './markdown/link-span.ts';
import type { WorkspaceMeans } from './means.ts';
import { type NameView, readNameView } from './name-view.ts';
import { nameKey } from './names.ts';
import type { PageHeader } from './page.ts';
import { checkLinkCount } from './page-rules.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { type Resolution, resolveLink, targetKey } from './resolve-link.ts';

/** Finds the links of a text and resolves them by the names the store has now. */
export async function indexLinks(
  use: Pick<WorkspaceMeans, 'pages' | 'files'>,
  scope: ReadScope,
  page: Pick<PageHeader, 'id' | 'workspace' | 'dialect'>,
  text: string,
  scan?: BlockScan,
): Promise<readonly LinkEntry[]> {
  const found = unresolvedLinks(page, text, scan);
  if (found.length === 0) return [];
  const view = await readNameView(use, scope, page.workspace, keysOf(found), [page.id]);
  return settleLinks(found, view);
}

export function unresolvedLinks(
  page: Pick<PageHeader, 'id' | 'dialect'>,
  text: string,
  scan?: BlockScan,
): readonly LinkEntry[] {
  const { links } = findLinks(text, scan, page.dialect);
  checkLinkCount(links.length);
  return links.map((span, ordinal) => toEntry(page.id, ordinal, span));
}

export const settleLinks = (links: readonly LinkEntry[], view: NameView): readonly LinkEntry[] =>
  links.map((link) => ({ ...link, ...settle(link, view) }));

export const keysOf = (links: readonly LinkEntry[]): readonly string[] => [
  ...new Set(links.map((link) => link.targetKey).filter((key) => key !== '')),
];

/** What a link means in a view. */
export function resolveIn(link: LinkEntry, view: NameView): Resolution {
  if (link.status === 'external' || link.status === 'self') {
    return { status: link.status, target: link.target, candidates: [] };
  }
  const meant = resolveLink(link.path, view.way(link.source), view.candidates(link.targetKey));
  if (meant.status !== 'unresolved' || !isFile(link, view)) return meant;
  return { status: 'file', target: null, candidates: [] };
}

/** Pages come first; an attachment is meant by its name, or by the end of its path. */
function isFile(link: LinkEntry, view: NameView): boolean {
  const files = view.files(link.targetKey);
  if (files.length === 0) return false;
  const folders = foldersOf(link.path);
  return files.some((file) => foldersOf(file).join('').endsWith(folders.join('')));
}

/** Folded; dots and empty parts mean nothing at the end of a path. */
const foldersOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .filter((part) => !['', '.', '..'].includes(part.trim()))
    .map((part) => `/${nameKey(part)}`);

const settle = (link: LinkEntry, view: NameView): Pick<LinkEntry, 'status' | 'target'> => {
  const { status, target } = resolveIn(link, view);
  return { status, target };
};

export function toEntry(source: PageId, ordinal: number, span: LinkSpan): LinkEntry {
  const self = !span.external && span.path === '';
  return {
    source,
    ordinal,
    form: span.form,
    embed: span.embed,
    start: span.start,
    end: span.end,
    targetStart: span.targetStart,
    targetEnd: span.targetEnd,
    path: span.path,
    fragment: span.fragment ?? null,
    display: span.display ?? null,
    targetKey: span.external || self ? '' : targetKey(span.path),
    status: span.external ? 'external' : self ? 'self' : 'unresolved',
    target: null,
  };
}
