/** Finds what is to be replaced, literally and exactly as often as the caller expects; else says what is there instead. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { Edit } from './edit.ts';
import { given, rangeOf } from './edit-places.ts';
import { type EditPlan, editField } from './edit-plan.ts';
import { findText } from './find-text.ts';
import { type TextLayout, withNewlines } from './text-layout.ts';

const PLACES_SHOWN = 5;

export function planReplaceText(plan: EditPlan, edit: Edit, i: number): void {
  const { layout } = plan;
  const find = given(edit, i, 'find');
  if (find === '') throw invalidInput(editField(i, 'find'), 'must not be empty');
  const { from, to } = rangeOf(layout, edit, i);
  const count = edit.count ?? 1;
  const written = [...new Set([find, withNewlines(find, layout.newline)])];
  for (const wanted of written) {
    const found = findText(layout.text, wanted, from, to, count + PLACES_SHOWN + 1);
    if (found.length === 0) continue;
    if (found.length !== count) throw miscounted(layout, i, find, count, found);
    const text = withNewlines(given(edit, i, 'text'), layout.newline);
    for (const start of found) plan.splice({ start, end: start + wanted.length, text, edit: i });
    return;
  }
  throw new SluiceError('not_found', `The page does not hold the text of "${editField(i, 'find')}"`, {
    field: editField(i, 'find'),
    expected: count,
    found: 0,
    near: nearLines(layout.text.slice(from, to), find),
  });
}

function miscounted(
  layout: TextLayout,
  i: number,
  find: string,
  count: number,
  found: readonly number[],
): SluiceError {
  const exact = found.length <= count + PLACES_SHOWN;
  const often = exact ? `${found.length}` : `more than ${count + PLACES_SHOWN}`;
  return new SluiceError('ambiguous', `"${editField(i, 'find')}" is there ${often} times, not ${count}`, {
    field: editField(i, 'find'),
    expected: count,
    found: found.length,
    candidates: found.slice(0, PLACES_SHOWN).map((at) => ({
      line: layout.text.slice(0, at).split('\n').length,
      text: lineAround(layout.text, at, find.length),
    })),
  });
}

const lineAround = (text: string, at: number, length: number): string =>
  text
    .slice(Math.max(0, text.lastIndexOf('\n', at - 1) + 1, at - 60), Math.min(text.length, at + length + 60))
    .toWellFormed()
    .slice(0, 200);

/** Lines that hold most of the words looked for: what the caller may have meant. */
function nearLines(text: string, find: string): string[] {
  const words = new Set(
    find
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 50),
  );
  if (words.size === 0) return [];
  const scored = text
    .slice(0, 500_000)
    .split('\n')
    .map((line) => ({ line, hits: sharedWords(line, words) }))
    .filter(({ hits }) => hits * 2 >= words.size);
  return scored
    .toSorted((a, b) => b.hits - a.hits)
    .slice(0, 3)
    .map(({ line }) => line.trim().slice(0, 200).toWellFormed());
}

const sharedWords = (line: string, words: ReadonlySet<string>): number =>
  new Set(
    line
      .slice(0, 1_000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  ).intersection(words).size;
