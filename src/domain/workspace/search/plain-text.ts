/**
 * What a reader sees of a Markdown page, as one line: frontmatter, fences, markers and link targets left out,
 * white space collapsed, and every character traceable to its place in the source. It is no Markdown parser:
 * what it does not recognise stays as it is.
 */
import { keepInline } from './keep-inline.ts';
import { createTextKeeper, type PlainText, type TextKeeper } from './text-keeper.ts';

const frontmatter = /^\uFEFF?---[ \t]*\r?\n/;
const frontmatterEnd = /^(?:---|\.\.\.)[ \t]*$/;
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
/** Quote signs, then a heading's hashes or a list bullet with its task box. */
const lineMarker =
  /^[ \t]{0,64}(?:>[ \t]?){0,16}[ \t]{0,64}(?:#{1,6}(?=[ \t]|$)|[-*+][ \t]+(?:\[[ xX]\](?=[ \t]))?)?/;
const closingHashes = /[ \t]#{1,6}[ \t]*$/;
/** Rules, underlines of headings and the rule below a table's head: lines without a word. */
const notInRule = /[^ \t\r|:=*_-]/;
const tableRow = /^[ \t]*\|/;
const blockId = /(?:^|[ \t])\^[A-Za-z0-9-]+[ \t]*$/;

export function plainText(markdown: string): PlainText {
  const keeper = createTextKeeper(markdown);
  let open: string | undefined;
  let start = afterFrontmatter(markdown);
  while (start < markdown.length) {
    const newline = markdown.indexOf('\n', start);
    const end = newline < 0 ? markdown.length : newline;
    const line = markdown.slice(start, end);
    const [, marker, info = ''] = fence.exec(line.trimEnd()) ?? [];
    if (open === undefined && marker !== undefined) open = marker;
    else if (open !== undefined && marker?.startsWith(open) && info.trim() === '') open = undefined;
    else if (open === undefined) keepLine(keeper, line, start);
    else keeper.keep(start, end);
    keeper.space();
    start = end + 1;
  }
  return keeper.finish();
}

/** Frontmatter that nobody closed is not frontmatter. */
function afterFrontmatter(markdown: string): number {
  const opening = frontmatter.exec(markdown);
  if (opening === null) return 0;
  let start = opening[0].length;
  while (start < markdown.length) {
    const newline = markdown.indexOf('\n', start);
    const end = newline < 0 ? markdown.length : newline;
    if (frontmatterEnd.test(markdown.slice(start, end).trimEnd())) return end + 1;
    start = end + 1;
  }
  return 0;
}

function keepLine(keeper: TextKeeper, line: string, offset: number): void {
  if (!notInRule.test(line)) return;
  const marker = lineMarker.exec(line)?.[0] ?? '';
  let end = line.length;
  if (marker.includes('#')) end -= tailLength(closingHashes, line, marker.length);
  end -= tailLength(blockId, line.slice(0, end), marker.length);
  keepInline(keeper, line.slice(0, end), marker.length, offset, tableRow.test(line));
}

/** Only the last characters are looked at, so that a line as long as the page costs no more than another. */
function tailLength(pattern: RegExp, line: string, from: number): number {
  const tail = line.slice(Math.max(from, line.length - 80));
  return pattern.exec(tail)?.[0].length ?? 0;
}
