/** What the checks look at and what they report. */
import type { SourceFile } from '../source/source-file.ts';
import type { LayerTable, Place } from './layer-table.ts';
import type { Import } from './read-imports.ts';

/** A file of the checked tree; `path` is relative to its root. */
export interface CheckedFile {
  readonly path: string;
  readonly place: Place | undefined;
  readonly isTest: boolean;
  readonly source: SourceFile;
  readonly imports: readonly Import[];
}

export interface Tree {
  readonly root: string;
  readonly table: LayerTable;
  readonly files: ReadonlyMap<string, CheckedFile>;
}

/** `at` is an offset into the file. */
export interface Finding {
  readonly rule: string;
  readonly at: number;
  readonly message: string;
}

export type Rule = (file: CheckedFile, tree: Tree) => Iterable<Finding>;
