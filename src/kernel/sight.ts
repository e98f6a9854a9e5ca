/**
 * What a caller may see and do in a workspace. Pages lie in zones: a zone is a page with grants of its own and
 * everything below it down to the next such page, and the workspace itself is the outermost. A level holds for a
 * whole zone.
 */

/** In order: each allows what the one before does and more. `drop`: may add below, may not look. */
export const LEVELS = ['hidden', 'drop', 'read', 'propose', 'write'] as const;
export type Level = (typeof LEVELS)[number];

/** The id of a zone's page. */
export type Zone = string;

/** The workspace outside of every zone. */
export const OUTERMOST: Zone = '';

export interface Sight {
  /** Zones that are absent for the caller, with everything in them. */
  readonly hidden: readonly Zone[];
  /** Zones that are seen although what lies around them is not: their pages stand at the root. */
  readonly lifted: readonly Zone[];
  /** Zones that take pages and show none. */
  readonly drops: readonly Zone[];
  levelIn(zone: Zone): Level;
}

/** Nothing is kept from the caller; what it may do is up to its role alone. */
export const SEES_ALL: Sight = { hidden: [], lifted: [], drops: [], levelIn: () => 'write' };

export const atLeast = (level: Level, wanted: Level): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
