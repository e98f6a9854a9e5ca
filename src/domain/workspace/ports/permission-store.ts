/** The port to who may see and do what, where in the tree. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Level, Zone } from '../../../kernel/sight.ts';

export const SUBJECT_KINDS = ['role', 'client', 'agent'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** Whom a grant is about: everybody with a role, or one client or agent by its name. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly name: string;
}

export interface PermissionGrant {
  /** Null = the whole workspace. */
  readonly page: PageId | null;
  readonly subject: Subject;
  readonly level: Level;
  readonly at: number;
  readonly by: string;
}

/** What is known of a workspace before anything in it is looked at. */
export interface WorkspaceRules {
  /** One more whenever it may have changed who sees what; 0 = nothing was ever granted. */
  readonly version: number;
  readonly readOnly: boolean;
}

export interface PermissionStore {
  rules(scope: ReadScope, workspace: WorkspaceId): Promise<WorkspaceRules>;
  grants(scope: ReadScope, workspace: WorkspaceId): Promise<readonly PermissionGrant[]>;
  /** For each zone but the outermost the one around it. */
  zones(scope: ReadScope, workspace: WorkspaceId): Promise<ReadonlyMap<Zone, Zone>>;
  /** Which of the ids are those of pages that the scope does not show. */
  keptFrom(scope: ReadScope, ids: readonly string[]): Promise<readonly string[]>;
  /** Replaces the subject's grant on that page, if it has one; pages come into their zones. */
  put(tx: WriteTx, workspace: WorkspaceId, grant: PermissionGrant): Promise<void>;
  /** False when there was none. */
  remove(tx: WriteTx, workspace: WorkspaceId, page: PageId | null, subject: Subject): Promise<boolean>;
  setReadOnly(tx: WriteTx, workspace: WorkspaceId, readOnly: boolean): Promise<void>;
}
