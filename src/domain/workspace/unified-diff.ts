/** The difference of two texts in the form that `diff -u` gives it. */
import { matchSequences } from './match-sequences.ts';

const CONTEXT = 3;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Its number on either side, from 0; where the other side stands for a line of one. */
  readonly old: number;
  readonly now: number;
}

export interface DiffLimits {
  readonly lines: number;
  readonly lineLength: number;
}

/** For people: no more than can be looked at, and never split inside of a character. Empty when the texts are equal. */
export function shortDiff(before: string, after: string, limits: DiffLimits): string {
  const lines = unifiedDiff(before, after).split('\n').slice(0, -1);
  const shown = lines.slice(0, limits.lines).map((line) => shorten(line, limits.lineLength));
  if (lines.length > limits.lines) shown.push(`… ${lines.length - limits.lines} more lines`);
  return shown.join('\n');
}

const shorten = (line: string, length: number): string =>
  line.length > length ? `${line.slice(0, length).toWellFormed()}…` : line;

/** Whole, so that it makes the one text of the other. Empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, names?: { from: string; to: string }): string {
  if (before === after) return '';
  const lines = compare(linesOf(before), linesOf(after));
  const out = names ? [`--- ${names.from}`, `+++ ${names.to}`] : [];
  for (const hunk of hunksOf(lines)) {
    const first = hunk[0];
    if (!first) continue;
    const [old, now] = [hunk.filter(({ sign }) => sign !== '+'), hunk.filter(({ sign }) => sign !== '-')];
    out.push(`@@ -${range(first.old, old.length)} +${range(first.now, now.length)} @@`);
    for (const { sign, text } of hunk) {
      out.push(sign + text.replace(/\n$/, ''));
      if (!text.endsWith('\n')) out.push('\\ No newline at end of file');
    }
  }
  return `${out.join('\n')}\n`;
}

/** Each with its line break, so that a last line without one differs. */
const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Empty ranges name the line before, as `diff` has it. */
const range = (start: number, length: number): string => {
  const at = length === 0 ? start : start + 1;
  return length === 1 ? String(at) : `${at},${length}`;
};

function compare(old: readonly string[], now: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...matchSequences(old, now), [old.length, now.length] as const]) {
    for (; i < a; i += 1) lines.push({ sign: '-', text: old[i] ?? '', old: i, now: j });
    for (; j < b; j += 1) lines.push({ sign: '+', text: now[j] ?? '', old: i, now: j });
    const same = old[i];
    if (same !== undefined) lines.push({ sign: ' ', text: same, old: i, now: j });
    [i, j] = [a + 1, b + 1];
  }
  return lines;
}

/** Changes with the lines around them; those whose surroundings touch are one. */
function hunksOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const hunks: Line[][] = [];
  let shownTo = 0;
  for (const [i, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const from = Math.max(shownTo, i - CONTEXT);
    const to = Math.min(lines.length, i + 1 + CONTEXT);
    const last = hunks.at(-1);
    if (last && from === shownTo) last.push(...lines.slice(from, to));
    else hunks.push(lines.slice(from, to));
    shownTo = Math.max(shownTo, to);
  }
  return hunks;
}
