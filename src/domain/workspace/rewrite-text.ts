/** A page's text with some of its links written anew, or why it has to stay as it is. Touches nothing but paths. */
import { deriveMetadata } from './derive-metadata.ts';
import { writtenPath } from './link-text.ts';
import { findLinks } from './markdown/find-links.ts';
import type { LinkSpan } from './markdown/link-span.ts';
import { MAX_CONTENT_BYTES, type Page } from './page.ts';
import type { LinkRewrite } from './plan-relink.ts';
import type { TextSplice } from './ports/text-documents.ts';

export interface RewrittenText {
  readonly text: string;
  readonly splices: readonly TextSplice[];
  /** All links of the new text; there are as many as before, in the same order. */
  readonly spans: readonly LinkSpan[];
}

/** All of the rewrites or, with a reason, none. */
export function rewriteText(
  page: Pick<Page, 'content' | 'dialect'>,
  rewrites: readonly LinkRewrite[],
): RewrittenText | { readonly problem: string } {
  const found = findLinks(page.content, undefined, page.dialect);
  if (found.unclosedFence) return { problem: 'a code fence is never closed, so nobody knows what is a link' };
  const splices: TextSplice[] = [];
  const paths = found.links.map((span) => span.path);
  for (const { link, path, written } of rewrites) {
    const span = found.links[link.ordinal];
    if (span?.start !== link.start || span.path !== link.path || span.targetEnd !== link.targetEnd)
      return { problem: 'the link index does not match the text' };
    paths[link.ordinal] = path;
    const text = written ?? writtenPath(span, page.content, path);
    splices.push({ start: span.targetStart, end: span.targetEnd, text });
  }
  splices.sort((a, b) => a.start - b.start);
  const text = spliceText(page.content, splices);
  if (Buffer.byteLength(text) > MAX_CONTENT_BYTES) return { problem: 'the page would become too long' };
  const spans = findLinks(text, undefined, page.dialect).links;
  // A back-tick in a title can make code of what follows it.
  if (spans.length !== paths.length || spans.some((span, i) => span.path !== paths[i])) return UNWRITABLE;
  if (breaksFrontmatter(page.content, text, found.links, rewrites)) return UNWRITABLE;
  return { text, splices, spans };
}

const UNWRITABLE = { problem: 'a link cannot be written so that it keeps its meaning' };

function breaksFrontmatter(
  before: string,
  after: string,
  links: readonly LinkSpan[],
  rewrites: readonly LinkRewrite[],
): boolean {
  const concerned = rewrites.some(
    ({ link, path }) =>
      links[link.ordinal]?.in === 'frontmatter' && !/^[\p{L}\p{M}\p{N} ._/()-]*$/u.test(path),
  );
  if (!concerned) return false;
  return deriveMetadata(after).problem !== undefined && deriveMetadata(before).problem === undefined;
}

export function spliceText(text: string, splices: readonly TextSplice[]): string {
  let [result, at] = ['', 0];
  for (const splice of splices) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}
