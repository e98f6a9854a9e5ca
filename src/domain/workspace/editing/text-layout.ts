/** A text as edits see it: its blocks with the blank lines after each kept apart, its headings, its way of ending lines. */
import { invalidInput, SluiceError } from '../../../kernel/errors.ts';
import type { BlockEntry } from '../block-index.ts';
import { findAnchors } from '../markdown/find-anchors.ts';
import { type Heading, outline } from '../markdown/outline.ts';
import { scanBlocks } from '../markdown/scan-blocks.ts';
import { splitBlocks } from '../markdown/split-blocks.ts';
import { gapStart } from '../merge-blocks.ts';
import type { SectionReference } from './edit.ts';
import { findHeading } from './find-heading.ts';

/** Headings looked at in one call, all sections together. */
const MOST_LOOKED = 5_000_000;

export interface LayoutBlock {
  readonly kind: string;
  readonly start: number;
  /** Where only blank lines follow. */
  readonly textEnd: number;
  readonly end: number;
}

/** A section by its blocks: the heading, the first block of a subsection or behind it, and the first block behind it all. */
export interface SectionBlocks {
  readonly heading: number;
  readonly ownEnd: number;
  readonly end: number;
}

export class TextLayout {
  readonly text: string;
  readonly newline: string;
  readonly blocks: readonly LayoutBlock[];
  readonly #headings: readonly Heading[];
  readonly #starts: ReadonlyMap<number, number>;
  readonly #entries: readonly BlockEntry[];
  readonly #sections = new Map<string, SectionBlocks>();
  #looked = 0;
  #byId: ReadonlyMap<string, number> | undefined;
  #anchors: ReadonlyMap<string, number> | undefined;

  /** `entries` is the block index of exactly this text. */
  constructor(text: string, entries: readonly BlockEntry[]) {
    const slices = splitBlocks(text, scanBlocks(text));
    this.text = text;
    this.newline = newlineOf(text);
    this.blocks = slices.map(({ kind, start, end }) => ({
      kind,
      start,
      textEnd: gapStart(text, start, end),
      end,
    }));
    this.#headings = outline(text, slices);
    this.#starts = new Map(slices.map(({ start }, i) => [start, i]));
    this.#entries = entries;
  }

  digest(block: number): string | undefined {
    return this.#entries[block]?.digest;
  }

  block(reference: string, field: string): number {
    const at = reference.startsWith('^') ? this.#anchored(reference.slice(1)) : this.#ids().get(reference);
    if (at !== undefined) return at;
    throw new SluiceError('not_found', `The page has no block "${reference}"; list_blocks gives their ids`, {
      field,
    });
  }

  section(reference: SectionReference, field: string): SectionBlocks {
    const key = JSON.stringify(reference);
    const known = this.#sections.get(key);
    if (known) return known;
    this.#looked += this.#headings.length;
    if (this.#looked > MOST_LOOKED)
      throw invalidInput('edits', 'name too many sections of so many headings; send them in several calls');
    const { start, end } = findHeading(this.#headings, reference, field);
    const heading = this.#blockAt(start);
    const next = this.#headings.find((other) => other.start > start);
    const found = {
      heading,
      ownEnd: next && next.start < end ? this.#blockAt(next.start) : this.#blockAt(end),
      end: this.#blockAt(end),
    };
    this.#sections.set(key, found);
    return found;
  }

  /** The index of the block that begins there; behind the last one at the end of the text. */
  #blockAt(offset: number): number {
    return this.#starts.get(offset) ?? this.blocks.length;
  }

  #ids(): ReadonlyMap<string, number> {
    this.#byId ??= new Map(this.#entries.map(({ id }, i) => [id as string, i]));
    return this.#byId;
  }

  /** An anchor that stands twice names nothing. */
  #anchored(id: string): number | undefined {
    this.#anchors ??= this.#findAnchors();
    return this.#anchors.get(id);
  }

  #findAnchors(): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    const twice = new Set<string>();
    let block = 0;
    for (const { id, start } of findAnchors(this.text)) {
      while ((this.blocks[block]?.end ?? Number.POSITIVE_INFINITY) <= start) block += 1;
      if (found.has(id)) twice.add(id);
      found.set(id, block);
    }
    for (const id of twice) found.delete(id);
    return found;
  }
}

/** The one that most lines end with. */
function newlineOf(text: string): string {
  let [pairs, single] = [0, 0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') pairs += 1;
    else single += 1;
  }
  return pairs > single ? '\r\n' : '\n';
}

export const withNewlines = (text: string, newline: string): string => text.replace(/\r\n|\n|\r/g, newline);
