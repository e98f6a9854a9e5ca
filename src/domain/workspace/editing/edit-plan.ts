/** What a list of edits does to the blocks of a text and inside of them. Two edits of one place are refused, never ordered. */
import { invalidInput, type SluiceError } from '../../../kernel/errors.ts';
import type { TextSplice } from '../ports/text-documents.ts';
import type { TextLayout } from './text-layout.ts';

/** New text, and the edit that brings it. */
export interface Brought {
  readonly text: string;
  readonly edit: number;
}

export interface PlannedSplice extends TextSplice {
  readonly edit: number;
}

interface Insertion extends Brought {
  /** The block it was placed by. */
  readonly anchor: number | undefined;
}

export class EditPlan {
  readonly layout: TextLayout;
  readonly #removed = new Map<number, number>();
  readonly #replaced = new Map<number, Brought>();
  readonly #inserted = new Map<number, Insertion[]>();
  readonly #splices: PlannedSplice[] = [];

  constructor(layout: TextLayout) {
    this.layout = layout;
  }

  remove(block: number, edit: number): void {
    this.#claim(block, edit);
    this.#removed.set(block, edit);
  }

  replace(block: number, brought: Brought): void {
    this.#claim(block, brought.edit);
    this.#replaced.set(block, brought);
  }

  /** A line more at the beginning or the end of a block; others may follow. */
  grow(block: number, side: 'before' | 'after', { text, edit }: Brought): void {
    if (this.#removed.has(block)) throw overlap(edit, this.#removed.get(block) ?? edit);
    const { start, textEnd } = this.layout.blocks[block] ?? { start: 0, textEnd: 0 };
    const now = this.#replaced.get(block)?.text ?? this.layout.text.slice(start, textEnd);
    const { newline } = this.layout;
    const grown = side === 'after' ? now + newline + text : text + newline + now;
    this.#replaced.set(block, { text: grown, edit });
  }

  /** Before the block of that index, or behind the last. Insertions at one place stand in the order of the edits. */
  insert(boundary: number, insertion: Insertion): void {
    const there = this.#inserted.get(boundary);
    if (there) there.push(insertion);
    else this.#inserted.set(boundary, [insertion]);
  }

  splice(splice: PlannedSplice): void {
    this.#splices.push(splice);
  }

  /** All of it, once nothing stands against it. */
  settle(): SettledPlan {
    for (const one of [...this.#inserted.values()].flat()) {
      const by = one.anchor === undefined ? undefined : this.#removed.get(one.anchor);
      if (by !== undefined && by !== one.edit) throw overlap(one.edit, by);
    }
    const splices = this.#splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
    for (const [i, splice] of splices.entries()) {
      const next = splices[i + 1];
      if (next && next.start < splice.end) throw overlap(next.edit, splice.edit);
    }
    this.#keepApart(splices);
    return {
      layout: this.layout,
      removed: this.#removed,
      replaced: this.#replaced,
      inserted: this.#inserted,
      splices,
    };
  }

  /** Text that is replaced inside of blocks must not reach into one that another edit changes, nor over a place where something comes in. */
  #keepApart(splices: readonly PlannedSplice[]): void {
    const { blocks } = this.layout;
    let at = 0;
    for (const splice of splices) {
      while ((blocks[at]?.end ?? Number.POSITIVE_INFINITY) <= splice.start) at += 1;
      for (let i = at; i < blocks.length && (blocks[i]?.start ?? 0) < splice.end; i += 1) {
        const other =
          this.#removed.get(i) ??
          this.#replaced.get(i)?.edit ??
          this.#insertedNear(i, splice) ??
          this.#changedNear(i, splice);
        if (other !== undefined) throw overlap(splice.edit, other);
      }
    }
  }

  /** Blank lines next to something new are set anew with it. */
  #changedNear(block: number, splice: PlannedSplice): number | undefined {
    const textEnd = this.layout.blocks[block]?.textEnd ?? 0;
    if (splice.end <= textEnd) return undefined;
    return this.#removed.get(block + 1) ?? this.#inserted.get(block + 1)?.[0]?.edit;
  }

  #insertedNear(block: number, splice: PlannedSplice): number | undefined {
    const start = this.layout.blocks[block]?.start ?? 0;
    return splice.start < start ? this.#inserted.get(block)?.[0]?.edit : undefined;
  }

  #claim(block: number, edit: number): void {
    const other = this.#removed.get(block) ?? this.#replaced.get(block)?.edit;
    if (other !== undefined) throw overlap(edit, other);
  }
}

export interface SettledPlan {
  readonly layout: TextLayout;
  /** By which edit. */
  readonly removed: ReadonlyMap<number, number>;
  readonly replaced: ReadonlyMap<number, Brought>;
  readonly inserted: ReadonlyMap<number, readonly Brought[]>;
  readonly splices: readonly PlannedSplice[];
}

export const editField = (edit: number, name: string): string => `edits.${edit}.${name}`;

const overlap = (edit: number, other: number): SluiceError =>
  invalidInput(`edits.${edit}`, `changes the same place as "edits.${other}"; make one edit of them`, {
    reason: 'overlap',
    other: `edits.${other}`,
  });
