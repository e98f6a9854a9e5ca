/** Two texts as a unified diff by lines, for people: bounded, and never split inside of a character. */
import { matchSequences } from './match-sequences.ts';

const CONTEXT = 3;
const MAX_LINES = 2_000;
const MAX_LINE_LENGTH = 2_000;

interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** Line numbers on both sides before this one. */
  readonly from: number;
  readonly to: number;
}

/** Empty when the texts are the same. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const hunks = intoHunks(diffLines(linesOf(before), linesOf(after)));
  const lines = hunks.flatMap(sayHunk);
  const shown = lines.slice(0, MAX_LINES).map(shorten);
  if (lines.length > MAX_LINES) shown.push(`… ${lines.length - MAX_LINES} more lines`);
  return shown.join('\n');
}

/** As git says it, so that a text differs from the same one with an end of line. */
const NO_NEWLINE = '\n\\ No newline at end of file';

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, last + NO_NEWLINE];
}

function diffLines(old: readonly string[], now: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  for (const [oldEnd, nowEnd] of [...matchSequences(old, now), [old.length, now.length] as const]) {
    for (; i < oldEnd; i += 1) lines.push({ mark: '-', text: old[i] ?? '', from: i, to: j });
    for (; j < nowEnd; j += 1) lines.push({ mark: '+', text: now[j] ?? '', from: i, to: j });
    if (i < old.length) lines.push({ mark: ' ', text: old[i] ?? '', from: i, to: j });
    [i, j] = [i + 1, j + 1];
  }
  return lines;
}

/** Runs of lines that lie near a change. */
function intoHunks(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  let until = 0;
  for (const [i, line] of lines.entries()) {
    if (line.mark === ' ') continue;
    const start = Math.max(0, i - CONTEXT);
    const apart = hunks.length === 0 || start > until;
    if (apart) hunks.push([]);
    const end = Math.min(lines.length, i + CONTEXT + 1);
    hunks.at(-1)?.push(...lines.slice(apart ? start : until, end));
    until = end;
  }
  return hunks;
}

function sayHunk(lines: readonly DiffLine[]): string[] {
  const [first] = lines;
  const count = (mark: '-' | '+'): number =>
    lines.filter((line) => line.mark === ' ' || line.mark === mark).length;
  const head = `@@ -${(first?.from ?? 0) + 1},${count('-')} +${(first?.to ?? 0) + 1},${count('+')} @@`;
  return [head, ...lines.map(({ mark, text }) => mark + text)];
}

const shorten = (line: string): string =>
  line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` : line;
