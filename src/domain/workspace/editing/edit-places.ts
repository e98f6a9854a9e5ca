/** Where in a text an edit is meant to be. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { Edit } from './edit.ts';
import { editField } from './edit-plan.ts';
import type { TextLayout } from './text-layout.ts';

/** The blocks that an edit stands beside. */
export function spanOf(layout: TextLayout, edit: Edit, i: number): { from: number; to: number } {
  if ((edit.block === undefined) === (edit.section === undefined))
    throw invalidInput(`edits.${i}`, 'must name a "block" or a "section", and not both');
  if (edit.section !== undefined) {
    const { heading, end } = layout.section(edit.section, editField(i, 'section'));
    return { from: heading, to: end };
  }
  const block = blockOf(layout, edit, i);
  return { from: block, to: block + 1 };
}

/** The stretch of text that is looked through. */
export function rangeOf(layout: TextLayout, edit: Edit, i: number): { from: number; to: number } {
  if (edit.block === undefined && edit.section === undefined) return { from: 0, to: layout.text.length };
  const { from, to } = spanOf(layout, edit, i);
  return { from: layout.blocks[from]?.start ?? 0, to: layout.blocks[to - 1]?.end ?? layout.text.length };
}

export function blockOf(layout: TextLayout, edit: Edit, i: number): number {
  const block = layout.block(given(edit, i, 'block'), editField(i, 'block'));
  const digest = layout.digest(block);
  if (edit.digest === undefined || edit.digest === digest) return block;
  throw new SluiceError('conflict', `The block of "edits.${i}" has changed`, {
    reason: 'stale',
    field: editField(i, 'digest'),
    digest,
  });
}

export function given<K extends 'find' | 'text' | 'section' | 'block'>(
  edit: Edit,
  i: number,
  name: K,
): NonNullable<Edit[K]> {
  const value = edit[name];
  if (value !== undefined) return value as NonNullable<Edit[K]>;
  throw invalidInput(editField(i, name), `is needed for ${edit.op}`);
}
