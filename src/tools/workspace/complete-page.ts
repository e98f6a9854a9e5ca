/** Suggests pages while somebody types which one is meant. */
import type { Completer } from '../../catalogue/completion.ts';
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { suggestPaths } from '../../domain/workspace/suggest-paths.ts';
import { workspaceOf } from './page-shape.ts';

export const completePage: Completer<WorkspaceMeans> = (use, value, _others, call) =>
  suggestPaths(use, call.read, workspaceOf(call), value);
