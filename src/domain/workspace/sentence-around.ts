/** The sentence or line around a span of text, short enough to show. */
const REACH = 160;

export function sentenceAround(text: string, span: { readonly start: number; readonly end: number }): string {
  const from = Math.max(text.lastIndexOf('\n', span.start - 1) + 1, span.start - REACH, 0);
  const newline = text.indexOf('\n', span.end);
  const to = Math.min(newline < 0 ? text.length : newline, span.end + REACH);
  const start = from + lastSentenceEnd(text.slice(from, span.start));
  const after = /[.!?](?=\s|$)|[。！？]/u.exec(text.slice(span.end, to));
  const end = after ? span.end + after.index + 1 : to;
  return text.slice(start, end).trim().toWellFormed();
}

function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const match of text.matchAll(/[.!?]\s+|[。！？]\s*/gu)) end = match.index + match[0].length;
  return end;
}
