/** How to write a link so that it means a given page from where it stands: the shortest text that is unambiguous. */
import type { PageId } from '../../kernel/ids.ts';
import type { LinkSpan } from './markdown/link-span.ts';
import type { NameView } from './name-view.ts';
import type { Ancestor } from './page.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { resolveLink, targetKey } from './resolve-link.ts';

/** The path to write; undefined when none means that page. */
export function linkPathFor(link: LinkEntry, target: PageId, view: NameView): string | undefined {
  const way = view.way(target);
  const extension = /\.(md|markdown)$/i.exec(link.path)?.[0] ?? '';
  for (let length = 1; length <= way.length; length += 1) {
    for (const name of [titleName, slugName]) {
      const path = way
        .slice(way.length - length)
        .map(name)
        .join('/');
      const meant = resolveLink(path, view.way(link.source), view.candidates(targetKey(path)));
      if (meant.target === target) return path + extension;
    }
  }
  return undefined;
}

/** A title with characters that mean something inside a link is written as its slug. */
const titleName = (step: Ancestor): string =>
  /[#^[\]|\\/<>%]|\.md$/i.test(step.title) ? step.slug : step.title;

const slugName = (step: Ancestor): string => step.slug;

/** The path in the manner of the link it goes into: escaped where that link's form needs or had it. */
export function writtenPath(span: LinkSpan, source: string, path: string): string {
  if (span.form === 'wiki') return path;
  if (span.angle) return path.replace(/[<>\\]/g, (character) => `\\${character}`);
  const raw = source.slice(span.targetStart, span.targetEnd);
  const escapesAll = span.encoded && isAscii(raw) && !isAscii(span.path);
  return path
    .split('/')
    .map((segment) => (escapesAll ? encodeURIComponent(segment) : segment.replace(UNSAFE, escapeCharacter)))
    .join('/');
}

/** What would end or change an unbracketed destination. */
const UNSAFE = /[\p{Cc} ()<>%#?\\]/gu;

const escapeCharacter = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
