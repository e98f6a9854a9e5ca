/** Recognises the rows of a GFM table and the cells in them. */

import {
  BACKSLASH,
  BAR,
  COLON,
  DASH,
  isSpaceOrTab,
  LEFT_BRACKET,
  skipSpacesAndTabs,
  trimSpacesAndTabs,
} from './char-codes.ts';

/**
 * Offsets of the cells of the row between `start` and `end`, in pairs. A bar ends a cell unless it is escaped or stands
 * in a wiki link that closes on the row: GFM would cut `[[Note|text]]` in two, but a rename must see it.
 */
export function rowCells(text: string, start: number, end: number): number[] {
  let from = skipSpacesAndTabs(text, start, end);
  const stop = trimSpacesAndTabs(text, from, end);
  if (text.charCodeAt(from) === BAR) from++;
  const cells: number[] = [];
  let lastClose: number | undefined;
  for (let i = from; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      i++;
    } else if (code === BAR) {
      cells.push(from, i);
      from = i + 1;
    } else if (code === LEFT_BRACKET && text.charCodeAt(i + 1) === LEFT_BRACKET) {
      lastClose ??= text.slice(start, stop).lastIndexOf(']]') + start;
      if (i < lastClose) i = text.indexOf(']]', i) + 1;
    }
  }
  if (from < stop) cells.push(from, stop);
  return cells;
}

/** The number of columns that the line from `start` declares as a delimiter row, or 0. */
export function delimiterColumns(text: string, start: number, end: number): number {
  let i = start;
  let columns = 0;
  let bars = 0;
  if (text.charCodeAt(i) === BAR) {
    bars++;
    i++;
  }
  for (;;) {
    i = skipSpacesAndTabs(text, i, end);
    if (i === end) break;
    if (text.charCodeAt(i) === COLON) i++;
    const dashes = i;
    while (i < end && text.charCodeAt(i) === DASH) i++;
    if (i === dashes) return 0;
    if (i < end && text.charCodeAt(i) === COLON) i++;
    columns++;
    while (i < end && isSpaceOrTab(text.charCodeAt(i))) i++;
    if (i === end) break;
    if (text.charCodeAt(i) !== BAR) return 0;
    bars++;
    i++;
  }
  return bars > 0 ? columns : 0;
}
