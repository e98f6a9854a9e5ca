/** Resolves once per call what its caller may see; remembers it for as long as the grants are the same. */
import type { Caller } from '../../../kernel/caller.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { Sights } from '../../../kernel/ports/sights.ts';
import type { ReadScope, UnitOfWork } from '../../../kernel/ports/unit-of-work.ts';
import { SEES_ALL, type Sight } from '../../../kernel/sight.ts';
import type { PermissionStore, WorkspaceRules } from '../ports/permission-store.ts';
import type { WorkspaceStore } from '../ports/workspace-store.ts';
import { type Grants, seesAll, workOutSight } from './work-out-sight.ts';

export interface LiveSights extends Sights {
  /** Rules of a workspace were changed; to be told within the unit and once more when it is durable. */
  changed(workspace: WorkspaceId): void;
}

export interface SightsMeans {
  readonly units: UnitOfWork;
  readonly permissions: PermissionStore;
  readonly workspaces: WorkspaceStore;
  /** True when other processes may change what this one has read. */
  readonly shared: boolean;
  veil<Scope extends ReadScope>(scope: Scope, sight: Sight): Scope;
}

interface Known {
  readonly version: number;
  readonly grants: Grants;
  readonly sights: Map<string, Sight>;
}

const NO_RULES: WorkspaceRules = { version: 0, readOnly: false };
/** Sights remembered of one workspace. */
const MAX_SIGHTS = 1_000;

export async function createSights(use: SightsMeans): Promise<LiveSights> {
  const known = new Map<WorkspaceId, Known>();
  const changes = new Map<WorkspaceId, number>();
  const ruled = await workspacesWithRules(use);

  const grantsAt = async (scope: ReadScope, workspace: WorkspaceId, version: number): Promise<Known> => {
    const before = known.get(workspace);
    if (before?.version === version) return before;
    const [grants, zones] = [
      await use.permissions.grants(scope, workspace),
      await use.permissions.zones(scope, workspace),
    ];
    const now = { version, grants: { grants, zones }, sights: new Map<string, Sight>() };
    // Reads may look at an older state than one that is known already.
    if (!before || before.version < version) known.set(workspace, now);
    return now;
  };

  const sightOf = async (
    scope: ReadScope,
    workspace: WorkspaceId,
    caller: Caller,
    { version }: WorkspaceRules,
  ): Promise<Sight> => {
    if (version === 0 || seesAll(caller)) return SEES_ALL;
    const { grants, sights } = await grantsAt(scope, workspace, version);
    const key = JSON.stringify([caller.role, caller.principal.kind, caller.principal.name]);
    const found = sights.get(key) ?? workOutSight(grants, caller);
    if (sights.size < MAX_SIGHTS) sights.set(key, found);
    return found;
  };

  return {
    async bind(scope, caller) {
      const { workspace } = caller.context;
      if (!workspace) return { scope, sight: SEES_ALL, readOnly: false };
      // One process to a home knows by itself which workspaces have rules; where there are several, one asks.
      const asks = use.shared || ruled.has(workspace);
      const rules = asks ? await use.permissions.rules(scope, workspace) : NO_RULES;
      const sight = await sightOf(scope, workspace, caller, rules);
      return { scope: use.veil(scope, sight), sight, readOnly: rules.readOnly };
    },
    seen: async (scope, ids) => {
      const kept = await use.permissions.keptFrom(
        scope,
        [...ids].flatMap((id) => id ?? []),
      );
      return kept.length === 0 ? ids : ids.difference(new Set<string | null>(kept));
    },
    changes: (workspace) => changes.get(workspace) ?? 0,
    changed(workspace) {
      ruled.add(workspace);
      changes.set(workspace, (changes.get(workspace) ?? 0) + 1);
    },
  };
}

async function workspacesWithRules(use: SightsMeans): Promise<Set<WorkspaceId>> {
  return use.units.read(async (scope) => {
    const ruled = new Set<WorkspaceId>();
    for (const { id } of await use.workspaces.all(scope)) {
      const { version, readOnly } = await use.permissions.rules(scope, id);
      if (version > 0 || readOnly) ruled.add(id);
    }
    return ruled;
  });
}
