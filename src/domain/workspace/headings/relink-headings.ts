/** Which links into a page must be written anew so that they go on meaning the heading they meant. */
import type { LinkSpan } from '../markdown/link-span.ts';
import { type Heading, matchingHeadings } from '../markdown/outline.ts';
import type { TextSplice } from '../ports/text-documents.ts';

/** The headings of a page before and after one of them got another title. */
export interface HeadingChange {
  readonly before: readonly Heading[];
  readonly after: readonly Heading[];
  readonly index: number;
}

/** `text` = as it is: it means the same, or meant nothing before. `stuck` = no words will do. */
export type FragmentWish = 'text' | 'stuck' | { readonly fragment: string };

export function wishFor(fragment: string, { before, after, index }: HeadingChange): FragmentWish {
  if (fragment.startsWith('^')) return 'text';
  const meant = matchingHeadings(before, fragment);
  if (meant.length !== 1) return meant.some((heading) => heading === before[index]) ? 'stuck' : 'text';
  const at = before.indexOf(meant[0] as Heading);
  const means = (words: string): boolean => {
    const found = matchingHeadings(after, words);
    return found.length === 1 && found[0] === after[at];
  };
  if (means(fragment)) return 'text';
  const candidates = [
    renamedParts(fragment, before[at], before[index], after[index]?.title ?? ''),
    plain(after[at]?.title ?? ''),
    (after[at]?.path ?? []).map(plain).join('#'),
  ];
  const words = candidates.find((one) => one !== undefined && means(one));
  return words === undefined ? 'stuck' : { fragment: words };
}

/** In `A#B` the part that is the renamed heading; the others stay as they are written. */
function renamedParts(
  fragment: string,
  meant: Heading | undefined,
  renamed: Heading | undefined,
  title: string,
): string | undefined {
  if (!meant || !renamed) return undefined;
  const parts = fragment.split('#');
  const depth = renamed.path.length - 1;
  const isAbove = meant !== renamed;
  const changed = parts.map((part, i) => {
    const isLast = i === parts.length - 1;
    if (isLast !== !isAbove) return part;
    const alone = matchingHeadings([{ ...renamed, path: [renamed.title] }], part);
    return alone.length === 1 && meant.path[depth] === renamed.title ? plain(title) : part;
  });
  return changed.join('#');
}

/** Without what means something in a link; headings are compared without it. */
const plain = (title: string): string =>
  title
    .replace(/[#^|[\]\\%<>]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

export function fragmentSplice(span: LinkSpan, source: string, fragment: string): TextSplice {
  const start = span.fragmentStart ?? span.targetEnd;
  const end = span.fragmentEnd ?? start;
  return { start, end, text: written(span, source.slice(start, end), fragment) };
}

/** In the manner of the link: as it is, as words joined by hyphens, or with escapes. */
function written(span: LinkSpan, raw: string, fragment: string): string {
  if (span.form === 'wiki' || span.angle) return fragment;
  if (/^[^\s%\p{Lu}]+$/u.test(raw) && raw.includes('-'))
    return fragment
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}#]+/gu, '-')
      .replace(/^-|-$/g, '');
  return fragment.replace(
    /[\p{Cc} ()<>\\"]/gu,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
