/** What a caller could call right now, and what of it a list shows: a cap shortens the list, never what can be called. */
import type { Entry } from '../catalogue/catalogue.ts';
import { BUILT_IN } from '../catalogue/registration.ts';
import type { Tool } from '../catalogue/tool-definition.ts';
import { decide } from '../domain/governance/decision.ts';
import { matchesPattern } from '../domain/governance/name-pattern.ts';
import { USUAL_TOOLS } from '../domain/governance/toolsets.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Gate } from './means.ts';

export type Listing = 'tools' | 'resources' | 'templates' | 'prompts';

type Means = Pick<Gate, 'catalogue' | 'governance'>;

/** What is Sluice's own business is absent for everybody else, and what helps where there is nothing to help with. */
export function isThere(use: Means, entry: Entry, caller: Caller): boolean {
  if (entry.internal) return caller.principal.kind === 'system';
  if (entry.finds) return isShort(caller, plainTools(use, caller));
  return !entry.helps || use.catalogue.tools.some((tool) => isForeign(tool) && isVisible(use, tool, caller));
}

const isForeign = ({ server }: Entry): boolean => server !== BUILT_IN;

export function visibleTools(use: Means, caller: Caller): readonly Tool[] {
  const plain = plainTools(use, caller);
  return isShort(caller, plain) ? inOrder([...plain, ...finders(use, caller)]) : plain;
}

/** What a list of this kind shows; in the order of names, by which it is paged. */
export function shownEntries(use: Means, what: Listing, caller: Caller): readonly Entry[] {
  if (what !== 'tools') return entriesOf(use, what).filter((entry) => isVisible(use, entry, caller));
  const plain = plainTools(use, caller);
  if (!isShort(caller, plain)) return plain;
  const found = finders(use, caller);
  const room = Math.max(0, (caller.offer?.cap ?? 0) - found.length);
  return inOrder([...favourites(caller, plain).slice(0, room), ...found]);
}

const isShort = ({ offer }: Caller, plain: readonly Tool[]): boolean =>
  offer !== undefined && offer.cap !== null && plain.length > offer.cap;

const plainTools = (use: Means, caller: Caller): readonly Tool[] =>
  use.catalogue.tools.filter(
    (tool) => !tool.finds && isVisible(use, tool, caller) && (!tool.helps || isThere(use, tool, caller)),
  );

const finders = (use: Means, caller: Caller): readonly Tool[] =>
  use.catalogue.tools.filter((tool) => tool.finds && isVisible(use, tool, caller));

const isVisible = (use: Means, entry: Entry, caller: Caller): boolean =>
  (entry.internal ? caller.principal.kind === 'system' : entry.listed) &&
  decide(use.governance.current().policy, caller, entry).allowed;

/** What was pinned and nothing else; where nothing was, the usual ones and then all by name. */
function favourites({ offer }: Caller, tools: readonly Tool[]): readonly Tool[] {
  const pinned = offer?.toolset?.pinned ?? [];
  if (pinned.length > 0) return ranked(tools, pinned);
  const usual = ranked(tools, USUAL_TOOLS);
  return [...usual, ...tools.filter((tool) => !usual.includes(tool))];
}

/** Those that a pattern fits, in the order of the patterns. */
function ranked(tools: readonly Tool[], patterns: readonly string[]): readonly Tool[] {
  const found = new Set<Tool>();
  for (const pattern of patterns)
    for (const tool of tools) if (matchesPattern(pattern, tool.name)) found.add(tool);
  return [...found];
}

const inOrder = (tools: readonly Tool[]): readonly Tool[] =>
  tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));

function entriesOf(use: Means, what: Exclude<Listing, 'tools'>): readonly Entry[] {
  switch (what) {
    case 'prompts':
      return use.catalogue.prompts;
    case 'resources':
      return use.catalogue.resources.filter((resource) => resource.uri.variables.length === 0);
    case 'templates':
      return use.catalogue.resources.filter((resource) => resource.uri.variables.length > 0);
  }
}
