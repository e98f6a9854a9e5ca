/** Writes another title into a heading: between its marks, before its block id, and nowhere else. */
import { invalidInput } from '../../../kernel/errors.ts';
import { atxContent, atxLevel } from '../markdown/block-syntax.ts';
import { type Heading, outline } from '../markdown/outline.ts';
import type { TextSplice } from '../ports/text-documents.ts';

const MAX_HEADING = 1_000;

export function checkHeading(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > MAX_HEADING || /\p{Cc}|\u2028|\u2029/u.test(trimmed))
    throw invalidInput('title', `must be one line of 1 to ${MAX_HEADING} characters`);
  return trimmed;
}

export function titleSplice(
  text: string,
  { start, end }: Pick<Heading, 'start' | 'end'>,
  title: string,
): TextSplice {
  const from = start + (/^[\uFEFF \t]*/.exec(text.slice(start, end))?.[0].length ?? 0);
  const span = atxLevel(text, from, lineEnd(text, from)) > 0 ? atxSpan(text, from) : setextSpan(text, from);
  const anchor = /(?<![ \t])[ \t]+\^[A-Za-z0-9-]+$/.exec(text.slice(span.start, span.end))?.[0].length ?? 0;
  return { start: span.start, end: span.end - anchor, text: needsSpace(text, span.start) + title };
}

/** The outline with the new title; refused when the heading would not say it, or others would change. */
export function outlineAfter(
  text: string,
  before: readonly Heading[],
  index: number,
  title: string,
): readonly Heading[] {
  const after = outline(text);
  const same =
    after.length === before.length &&
    after.every(
      (heading, i) =>
        heading.level === before[i]?.level && heading.title === (i === index ? title : before[i]?.title),
    );
  if (same) return after;
  throw invalidInput('title', `cannot be written as a heading: "${title}"`);
}

const lineEnd = (text: string, from: number): number => {
  const at = text.slice(from).search(/[\n\r]/);
  return at < 0 ? text.length : from + at;
};

const atxSpan = (text: string, from: number) => atxContent(text, from, lineEnd(text, from));

/** All lines but the one of dashes or equals signs. */
function setextSpan(text: string, from: number): { start: number; end: number } {
  let end = lineEnd(text, from);
  for (;;) {
    const next = end + (/^(?:\r\n|\n|\r)[ \t]*/.exec(text.slice(end))?.[0].length ?? 0);
    const line = text.slice(next, lineEnd(text, next));
    if (/^(?:=+|-+)[ \t]*$/.test(line) || next === end) break;
    end = lineEnd(text, next);
  }
  return { start: from, end: from + text.slice(from, end).trimEnd().length };
}

/** `#` alone is a heading without a title. */
const needsSpace = (text: string, at: number): string => (text.charAt(at - 1) === '#' ? ' ' : '');
