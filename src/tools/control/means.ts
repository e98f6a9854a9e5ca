/** What the control family works with: the same decision that lists and calls are made by. */
import type { Policy } from '../../domain/governance/decision.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { WorkspaceDirectory } from '../../kernel/ports/workspace-directory.ts';

export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly family: string;
  readonly effect: string;
  readonly scopes: readonly string[];
}

export interface ControlMeans {
  /** What this caller could call right now. */
  visibleTools(caller: Caller): readonly ToolFacts[];
  policy(): Policy;
  readonly workspaces: WorkspaceDirectory;
  countPages(scope: ReadScope, workspace: WorkspaceId): Promise<number>;
}
