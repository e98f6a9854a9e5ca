/** A short account of what a change of text amounts to, so that nobody clobbers anything without seeing it. */
import { matchSequences } from './match-sequences.ts';

export interface ChangeSummary {
  readonly characters_before: number;
  readonly characters_after: number;
  readonly lines_added: number;
  readonly lines_removed: number;
  /** The first changed lines, `-` for gone and `+` for come. */
  readonly diff: string;
}

const DIFF_LINES = 20;
const LINE_LENGTH = 160;

/** A text that is empty has no line, and then the break after the other's last line makes no further one. */
function linesOfBoth(before: string, after: string): readonly [readonly string[], readonly string[]] {
  if (before === '' || after === '') return [linesOf(before), linesOf(after)];
  return [before.split('\n'), after.split('\n')];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

export function describeChange(before: string, after: string): ChangeSummary {
  const [old, now] = linesOfBoth(before, after);
  const pairs = matchSequences(old, now);
  const shown: string[] = [];
  let [i, j, added, removed] = [0, 0, 0, 0];
  for (const [oldEnd, nowEnd] of [...pairs, [old.length, now.length] as const]) {
    removed += oldEnd - i;
    added += nowEnd - j;
    for (const line of old.slice(i, Math.min(oldEnd, i + DIFF_LINES))) shown.push(`-${line}`);
    for (const line of now.slice(j, Math.min(nowEnd, j + DIFF_LINES))) shown.push(`+${line}`);
    [i, j] = [oldEnd + 1, nowEnd + 1];
  }
  const cut = shown
    .slice(0, DIFF_LINES)
    .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line));
  if (added + removed > DIFF_LINES) cut.push(`… ${added + removed - DIFF_LINES} more lines`);
  return {
    characters_before: before.length,
    characters_after: after.length,
    lines_added: added,
    lines_removed: removed,
    diff: cut.map((line) => line.toWellFormed()).join('\n'),
  };
}
