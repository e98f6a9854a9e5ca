/** Which of the resources somebody follows are changed by what was touched in a workspace. */

import type { Caller } from '../kernel/caller.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { WorkspaceId } from '../kernel/ids.ts';
import type { EntityChange } from '../kernel/ports/change-feed.ts';
import type { Gate } from './means.ts';

export type TouchedIds = ReadonlySet<string | null>;

/** Beyond this many it counts as everything. */
const MAX_IDS = 1_000;

export function createTouched() {
  let touched = new Map<WorkspaceId, Set<string | null>>();
  return {
    add({ workspace, entity }: EntityChange): void {
      const ids = touched.get(workspace) ?? new Set<string | null>();
      if (ids.size < MAX_IDS) ids.add(entity);
      else ids.add(EVERYTHING);
      touched.set(workspace, ids);
    },
    /** What was gathered since the last time. */
    take(): ReadonlyMap<WorkspaceId, TouchedIds> {
      const taken = touched;
      touched = new Map();
      return taken;
    },
  };
}

/** No id: stands for all of them. */
const EVERYTHING = '*';

/** Also brings up to date what each of them follows: a slug may mean another page now, or none. */
export async function changedResources(
  use: Pick<Gate, 'catalogue' | 'units' | 'sights'>,
  caller: Caller,
  followed: Map<string, string | null | undefined>,
  workspace: WorkspaceId,
  touchedIds: TouchedIds,
): Promise<readonly string[]> {
  return use.units.read(async (scope) => {
    const { scope: read } = await use.sights.bind(scope, caller);
    const ids = await use.sights.seen(read, touchedIds);
    if (ids.size === 0) return [];
    const changed: string[] = [];
    for (const [uri, before] of followed) {
      const found = use.catalogue.resource(uri);
      if (!found?.resource.follows) continue;
      const now = await idOrNone(found.resource.follows(found.variables, workspace, read));
      followed.set(uri, now);
      const all = ids.has(EVERYTHING) || now === null;
      const touched = [now, before].some((id) => typeof id === 'string' && ids.has(id));
      if (all || touched || now !== before) changed.push(uri);
    }
    return changed;
  });
}

async function idOrNone(following: Promise<string | null>): Promise<string | null | undefined> {
  try {
    return await following;
  } catch (error) {
    if (error instanceof SluiceError && ['not_found', 'resource_not_found', 'ambiguous'].includes(error.code))
      return undefined;
    throw error;
  }
}
