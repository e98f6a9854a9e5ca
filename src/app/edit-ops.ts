/** The kinds of edit, for the command line, which knows no domain. */
import { EDIT_OPS } from '../domain/workspace/editing/edit.ts';

export const EDIT_OP_NAMES: readonly string[] = EDIT_OPS;
