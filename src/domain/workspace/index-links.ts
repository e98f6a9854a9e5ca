/** From a page's text to its entries in the link index. */
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { findLinks } from './markdown/find-links.ts';
import type { LinkSpan } from './markdown/link-span.ts';
import type { WorkspaceMeans } from './means.ts';
import { type NameView, readNameView } from './name-view.ts';
import { checkLinkCount } from './page-rules.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { type Resolution, resolveLink, targetKey } from './resolve-link.ts';

/** Finds the links of a text and resolves them by the names the store has now. */
export async function indexLinks(
  use: Pick<WorkspaceMeans, 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  source: PageId,
  text: string,
): Promise<readonly LinkEntry[]> {
  const found = unresolvedLinks(source, text);
  if (found.length === 0) return [];
  const view = await readNameView(use, scope, workspace, keysOf(found), [source]);
  return found.map((link) => ({ ...link, ...settle(link, view) }));
}

function unresolvedLinks(source: PageId, text: string): readonly LinkEntry[] {
  const { links } = findLinks(text);
  checkLinkCount(links.length);
  return links.map((span, ordinal) => toEntry(source, ordinal, span));
}

export const keysOf = (links: readonly LinkEntry[]): readonly string[] => [
  ...new Set(links.map((link) => link.targetKey).filter((key) => key !== '')),
];

/** What a link means in a view. */
export function resolveIn(link: LinkEntry, view: NameView): Resolution {
  if (link.status === 'external' || link.status === 'self') {
    return { status: link.status, target: link.target, candidates: [] };
  }
  return resolveLink(link.path, view.way(link.source), view.candidates(link.targetKey));
}

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
