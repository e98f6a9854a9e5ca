/**
 * From grants to what one caller may see: in each zone the nearest grant counts, and of those on the same page the one
 * for the caller itself before the one for its role. Where two still stand beside each other, the lower level counts.
 */
import type { Caller } from '../../../kernel/caller.ts';
import {
  atLeast,
  LEVELS,
  type Level,
  OUTERMOST,
  SEES_ALL,
  type Sight,
  type Zone,
} from '../../../kernel/sight.ts';
import type { PermissionGrant, Subject } from '../ports/permission-store.ts';

/** All that is granted in a workspace, and how its zones lie in each other. */
export interface Grants {
  readonly grants: readonly PermissionGrant[];
  /** For each zone but the outermost the one around it. */
  readonly zones: ReadonlyMap<Zone, Zone>;
}

/** Whom grants can be about. Owners and the system itself are never kept from anything. */
export type Looker = Pick<Caller, 'role' | 'principal'>;

export const seesAll = ({ role, principal }: Looker): boolean =>
  role === 'owner' || principal.kind === 'author' || principal.kind === 'system';

export function workOutSight({ grants, zones }: Grants, looker: Looker): Sight {
  if (seesAll(looker)) return SEES_ALL;
  const own = Map.groupBy(
    grants.filter(({ subject }) => isMeant(subject, looker)),
    ({ page }): Zone => page ?? OUTERMOST,
  );
  if (own.size === 0) return SEES_ALL;
  const levels = new Map<Zone, Level>();
  const levelIn = (zone: Zone): Level => {
    const known = levels.get(zone);
    if (known) return known;
    const around = zone === OUTERMOST ? undefined : (zones.get(zone) ?? OUTERMOST);
    const level = nearest(own.get(zone)) ?? (around === undefined ? 'write' : levelIn(around));
    levels.set(zone, level);
    return level;
  };
  const all = [OUTERMOST, ...zones.keys()];
  const isSeen = (zone: Zone): boolean => atLeast(levelIn(zone), 'read');
  return {
    hidden: all.filter((zone) => !isSeen(zone)),
    lifted: [...zones].filter(([zone, around]) => isSeen(zone) && !isSeen(around)).map(([zone]) => zone),
    drops: all.filter((zone) => levelIn(zone) === 'drop'),
    levelIn,
  };
}

function isMeant(subject: Subject, { role, principal }: Looker): boolean {
  if (subject.kind === 'role') return subject.name === role;
  return subject.kind === principal.kind && subject.name === principal.name;
}

function nearest(grants: readonly PermissionGrant[] | undefined): Level | undefined {
  const own = grants?.filter(({ subject }) => subject.kind !== 'role') ?? [];
  const counted = own.length > 0 ? own : (grants ?? []);
  return LEVELS.find((level) => counted.some((grant) => grant.level === level));
}
