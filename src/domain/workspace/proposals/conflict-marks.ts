/**
 * The text to decide a conflict in: the page's own with everything merged in that fits, and where both changed the same
 * place both, between the marks that people know from git. Whoever edits that keeps what came since without looking for it.
 */
import { invalidInput } from '../../../kernel/errors.ts';
import type { TextBlock } from '../align-blocks-to-base.ts';
import type { Settle } from '../merge-blocks.ts';

const HEAD = '<<<<<<< the page as it is now';
const YOURS = '>>>>>>> proposed by';

/** `by`: who proposed it. */
export function markedConflict(head: string, by: string): Settle {
  const newline = head.includes('\r\n') ? '\r\n' : '\n';
  return (theirs, yours) => {
    const lines = [
      HEAD,
      ...sideOf(theirs),
      '=======',
      ...sideOf(yours),
      `${YOURS} ${by.replace(/\s+/g, ' ')}`,
    ];
    return [{ text: lines.join(newline), gap: newline + newline }];
  };
}

const sideOf = (blocks: readonly TextBlock[]): readonly string[] => {
  const raw = blocks.map(({ text, gap }, i) => (i === blocks.length - 1 ? text : text + gap)).join('');
  return raw === '' ? [] : [raw];
};

const hasMarks = (text: string): boolean =>
  text.split(/\r?\n/).some((line) => line === HEAD || line.startsWith(`${YOURS} `));

/** What nobody decided does not land; a page that shows such marks itself may keep them. */
export function requireDecided(content: string, before: string): void {
  if (!hasMarks(content) || hasMarks(before)) return;
  throw invalidInput(
    'content',
    `still holds marks of a conflict; leave one text between each "${HEAD}" and "${YOURS} …", and take the marks away`,
  );
}
