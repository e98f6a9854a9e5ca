/** Reads a list of edits against a text: what each means, in places of that text. Nothing is guessed and nothing is applied yet. */
import { invalidInput } from '../../../kernel/errors.ts';
import { splitBlocks } from '../markdown/split-blocks.ts';
import type { Edit } from './edit.ts';
import { blockOf, given, spanOf } from './edit-places.ts';
import { EditPlan, editField, type SettledPlan } from './edit-plan.ts';
import { planReplaceText } from './plan-replace-text.ts';
import type { TextLayout } from './text-layout.ts';

/** Characters looked through in one call, all edits together. */
const MOST_SEARCHED = 100_000_000;

export function planEdits(layout: TextLayout, edits: readonly Edit[]): SettledPlan {
  const searched = edits.filter(({ op }) => op === 'replace_text').length * layout.text.length;
  if (searched > MOST_SEARCHED)
    throw invalidInput('edits', 'look for too much in so long a page; send them in several calls');
  const plan = new EditPlan(layout);
  for (const [i, edit] of edits.entries()) PLANNERS[edit.op](plan, edit, i);
  return plan.settle();
}

type Planner = (plan: EditPlan, edit: Edit, i: number) => void;

const PLANNERS: Readonly<Record<Edit['op'], Planner>> = {
  replace_text: planReplaceText,
  insert_before: (plan, edit, i) => {
    const { from } = spanOf(plan.layout, edit, i);
    plan.insert(from, { text: newText(plan, edit, i), edit: i, anchor: from });
  },
  insert_after: (plan, edit, i) => {
    const { to } = spanOf(plan.layout, edit, i);
    plan.insert(to, { text: newText(plan, edit, i), edit: i, anchor: to - 1 });
  },
  append: planAppend,
  prepend: planPrepend,
  replace_section: (plan, edit, i) => {
    const { heading, end } = plan.layout.section(given(edit, i, 'section'), editField(i, 'section'));
    const text = trimmed(plan, given(edit, i, 'text'));
    for (let block = heading + 1; block < end; block += 1) plan.remove(block, i);
    if (text !== '') plan.insert(heading + 1, { text, edit: i, anchor: heading });
  },
  replace_block: (plan, edit, i) => {
    const block = blockOf(plan.layout, edit, i);
    plan.replace(block, { text: newText(plan, edit, i), edit: i });
  },
  delete_block: (plan, edit, i) => plan.remove(blockOf(plan.layout, edit, i), i),
  move_block: planMove,
};

/** A text goes to the end of what stands directly below the heading; one that begins with a heading to the end of all. */
function planAppend(plan: EditPlan, edit: Edit, i: number): void {
  const text = newText(plan, edit, i);
  const { layout } = plan;
  if (edit.block !== undefined) {
    grow(plan, edit, i, 'after', text);
    return;
  }
  if (edit.section === undefined) {
    plan.insert(layout.blocks.length, { text, edit: i, anchor: undefined });
    return;
  }
  const { ownEnd, end } = layout.section(edit.section, editField(i, 'section'));
  const to = splitBlocks(text)[0]?.level === undefined ? ownEnd : end;
  plan.insert(to, { text, edit: i, anchor: to - 1 });
}

/** On the whole page that is below the frontmatter. */
function planPrepend(plan: EditPlan, edit: Edit, i: number): void {
  const text = newText(plan, edit, i);
  if (edit.block !== undefined) {
    grow(plan, edit, i, 'before', text);
    return;
  }
  const { blocks } = plan.layout;
  if (edit.section !== undefined) {
    const { heading } = plan.layout.section(edit.section, editField(i, 'section'));
    plan.insert(heading + 1, { text, edit: i, anchor: heading });
    return;
  }
  const first = blocks[0]?.kind === 'frontmatter' ? 1 : 0;
  plan.insert(first, { text, edit: i, anchor: undefined });
}

/** A block that grows stays one block of its kind; otherwise the text belongs beside it. */
function grow(plan: EditPlan, edit: Edit, i: number, side: 'before' | 'after', text: string): void {
  const at = blockOf(plan.layout, edit, i);
  const block = plan.layout.blocks[at];
  const now = plan.layout.text.slice(block?.start, block?.textEnd);
  const { newline } = plan.layout;
  const grown = splitBlocks(side === 'after' ? now + newline + text : text + newline + now);
  if (grown.length !== 1 || grown[0]?.kind !== block?.kind) {
    const other = side === 'after' ? 'insert_after' : 'insert_before';
    throw invalidInput(
      editField(i, 'text'),
      `cannot be a part of that ${block?.kind}; ${other} puts it beside`,
    );
  }
  plan.grow(at, side, { text, edit: i });
}

function planMove(plan: EditPlan, edit: Edit, i: number): void {
  const { layout } = plan;
  const from = blockOf(layout, edit, i);
  const targets = [edit.before, edit.after, edit.section].filter((target) => target !== undefined);
  if (targets.length !== 1)
    throw invalidInput(`edits.${i}`, 'must say one of "before", "after" and "section" to move the block to');
  const to = targetOf(layout, edit, i);
  const { kind, start, textEnd } = layout.blocks[from] ?? { kind: '', start: 0, textEnd: 0 };
  if (kind === 'frontmatter') throw invalidInput(editField(i, 'block'), 'is the frontmatter, which stays');
  if (to.boundary === from || to.boundary === from + 1) return;
  plan.remove(from, i);
  plan.insert(to.boundary, { text: layout.text.slice(start, textEnd), edit: i, anchor: to.anchor });
}

function targetOf(layout: TextLayout, edit: Edit, i: number): { boundary: number; anchor: number } {
  if (edit.before !== undefined) {
    const anchor = layout.block(edit.before, editField(i, 'before'));
    return { boundary: anchor, anchor };
  }
  if (edit.after !== undefined) {
    const anchor = layout.block(edit.after, editField(i, 'after'));
    return { boundary: anchor + 1, anchor };
  }
  const { ownEnd } = layout.section(edit.section ?? '', editField(i, 'section'));
  return { boundary: ownEnd, anchor: ownEnd - 1 };
}

/** Without blank lines around it, in the page's way of ending lines. */
function trimmed(plan: EditPlan, text: string): string {
  const lines = text.split(/\r\n|\n|\r/);
  while (lines.length > 0 && lines[0]?.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  return lines.join(plan.layout.newline);
}

function newText(plan: EditPlan, edit: Edit, i: number): string {
  const text = trimmed(plan, given(edit, i, 'text'));
  if (text !== '') return text;
  throw invalidInput(editField(i, 'text'), 'must hold more than blank lines');
}
