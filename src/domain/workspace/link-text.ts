/** How to write a link so that it means a given page from where it stands: the shortest text that is unambiguous. */
import type { PageId } from '../../kernel/ids.ts';
import { type LinkSpan, readWikiTarget } from './markdown/link-span.ts';
import type { NameView } from './name-view.ts';
import type { Ancestor } from './page.ts';
import type { LinkEntry } from './ports/link-store.ts';
import { resolveLink, targetKey } from './resolve-link.ts';

/** The path to write; undefined when none means that page. */
export function linkPathFor(link: LinkEntry, target: PageId, view: NameView): string | undefined {
  const way = view.way(target);
  const extension = /\.(md|markdown)$/i.exec(link.path)?.[0] ?? '';
  // A title that itself ends like a file is only meant with an extension behind it.
  for (const ending of new Set([extension, '.md'])) {
    for (let length = 1; length <= way.length; length += 1) {
      for (const name of [titleName, slugName]) {
        const tail = way.slice(way.length - length);
        const path = tail.map(name).join('/') + ending;
        if (!isWritable(link, path)) continue;
        const meant = resolveLink(path, view.way(link.source), view.candidates(targetKey(path)));
        if (meant.target === target) return path;
      }
    }
  }
  return undefined;
}

/** A title with characters that mean something inside a link is written as its slug. */
const titleName = (step: Ancestor): string => (/[#^[\]|\\/<>%]/.test(step.title) ? step.slug : step.title);

const slugName = (step: Ancestor): string => step.slug;

/** In brackets nothing can be escaped, so a title such as `mailto:x` would lead out of the workspace. */
const isWritable = (link: LinkEntry, path: string): boolean =>
  link.form !== 'wiki' || !readWikiTarget(path, 0, path.length).external;

/** The path in the manner of the link it goes into: escaped where that link's form needs or had it. */
export function writtenPath(span: LinkSpan, source: string, path: string): string {
  if (span.form === 'wiki') return span.dotted ? path.replaceAll('/', '.') : path;
  if (span.angle) return withoutScheme(path.replace(/[<>\\]/g, (character) => `\\${character}`));
  const raw = source.slice(span.targetStart, span.targetEnd);
  const escapesAll = span.encoded && isAscii(raw) && !isAscii(span.path);
  return withoutScheme(
    path
      .split('/')
      .map((segment) => (escapesAll ? encodeURIComponent(segment) : segment).replace(UNSAFE, escapeCharacter))
      .join('/'),
  );
}

/** What would end or change an unbracketed destination; a percent sign that stands for itself is never in a path. */
const UNSAFE = /[\p{Cc} ()<>#?\\]/gu;

const escapeCharacter = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** `Re:Zero` is a page, but would be read as a scheme and what follows it. */
const withoutScheme = (written: string): string => written.replace(/^([a-z][a-z0-9+.-]*):/i, '$1%3A');

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
