/**
 * What of the catalogue a client's token is offered: a toolset narrows what it can see and call, a cap only shortens
 * its list. Both can only take away from what its role gives.
 */
import type { CallerOffer, Toolset } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { CredentialId } from '../../kernel/ids.ts';
import { isPattern, matchesAny } from './name-pattern.ts';

/** As it is kept with a credential: the toolset by name. */
export interface ToolOffer {
  readonly toolset: string | null;
  /** Tools in a list at most, those that find the others included. */
  readonly cap: number | null;
}

export const NO_OFFER: ToolOffer = { toolset: null, cap: null };

/** Room for the three tools that find the others and one more; beyond the other end no list is too long. */
export const MIN_CAP = 4;
export const MAX_CAP = 1_000;
export const MAX_TOOLSETS = 100;

export const TOOLSETS_SETTING = 'toolsets';

export function checkToolset({ name, tools, pinned }: Toolset): void {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name))
    throw invalidInput('name', 'must be 1 to 64 lower case letters, digits, _ or -, and begin with a letter');
  if (tools.length === 0) throw invalidInput('tools', 'must name at least one tool');
  for (const [field, patterns] of Object.entries({ tools, pinned })) {
    const wrong = patterns.find((pattern) => !isPattern(pattern));
    if (wrong !== undefined)
      throw invalidInput(field, `must hold names or patterns such as "files.*", not "${wrong}"`);
  }
}

/** What a list that has to be shortened shows first where nobody pinned anything else. */
export const USUAL_TOOLS: readonly string[] = [
  'search',
  'read_page',
  'get_page_tree',
  'create_page',
  'edit_page',
  'update_page_content',
  'memory_search',
  'memory_write',
  'get_my_scopes',
  'read_result',
];

/** What is stored, as far as it has the form of toolsets. */
export function readToolsets(stored: unknown): ReadonlyMap<string, Toolset> {
  const found = Array.isArray(stored) ? (stored as readonly Toolset[]) : [];
  return new Map(found.map((toolset) => [toolset.name, toolset]));
}

/** By credential. A toolset that is gone leaves nothing: whoever was narrowed is never widened by a loss. */
export function readOffers(
  credentials: readonly { readonly id: CredentialId; readonly offer?: ToolOffer }[],
  toolsets: ReadonlyMap<string, Toolset>,
): ReadonlyMap<CredentialId, CallerOffer> {
  return new Map(
    credentials.flatMap(({ id, offer }) =>
      offer ? [[id, { ...offer, toolset: meant(toolsets, offer) }]] : [],
    ),
  );
}

function meant(toolsets: ReadonlyMap<string, Toolset>, { toolset: name }: ToolOffer): Toolset | null {
  if (name === null) return null;
  return toolsets.get(name) ?? { name, tools: [], pinned: [] };
}

export interface Offered {
  readonly name: string;
  readonly kind?: string;
  readonly server?: string;
  readonly helps?: boolean;
}

/** Toolsets are about tools, and about everything of a provider. */
export function isOffered({ toolset }: CallerOffer, { name, kind, server, helps }: Offered): boolean {
  if (!toolset || helps) return true;
  const ours = server === undefined || server === 'built-in';
  return (ours && kind !== undefined && kind !== 'tool') || matchesAny(toolset.tools, name);
}
