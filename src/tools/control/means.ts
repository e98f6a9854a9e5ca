/** What the control family works with: the same decision that lists and calls are made by. */
import type { Tool } from '../../catalogue/tool-definition.ts';
import type { Policy } from '../../domain/governance/decision.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceDirectory } from '../../kernel/ports/workspace-directory.ts';
import type { NearestTools } from './finding/nearest-tools.ts';

export interface ControlMeans {
  /** What this caller could call right now. */
  visibleTools(caller: Caller): readonly Tool[];
  /** By either form of its name, whoever may see it. */
  toolNamed(name: string): Tool | undefined;
  /** Absent where nothing is searched by meaning. */
  readonly nearest?: NearestTools;
  policy(): Policy;
  readonly workspaces: WorkspaceDirectory;
  countPages(scope: ReadScope, workspace: WorkspaceId): Promise<number>;
}
