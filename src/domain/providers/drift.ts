/** Compares what a provider shows now with what was admitted, field by field. */
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { MAX_TOOLS } from './check-surface.ts';
import type { ProviderProfile } from './profile.ts';
import {
  nameOf,
  only,
  type ProviderSurface,
  pinOfResource,
  pinOfRest,
  pinOfTool,
  type Shown,
  uriOf,
} from './surface.ts';

export type DriftKind = 'changed' | 'vanished' | 'added' | 'doubled';

export interface Drift {
  readonly what: 'tool' | 'resource' | 'identity' | 'instructions' | 'prompts' | 'resource_templates';
  readonly name: string;
  readonly kind: DriftKind;
  /** Dotted paths with both values, shortened. */
  readonly fields: readonly FieldChange[];
}

export interface FieldChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What is not as it was admitted. `admitted` is the surface the pins were made from, for the diff alone. */
export function findDrift(
  profile: Pick<ProviderProfile, 'allowedTools' | 'surfacePin' | 'allowedResources'>,
  admitted: ProviderSurface,
  now: ProviderSurface,
): readonly Drift[] {
  const found: Drift[] = [];
  for (const { name, pin } of profile.allowedTools) {
    const shown = now.tools.filter((tool) => nameOf(tool) === name);
    const [tool] = shown;
    const before = admitted.tools.find((known) => nameOf(known) === name) ?? {};
    if (!tool) found.push({ what: 'tool', name, kind: 'vanished', fields: [] });
    else if (shown.length > 1) found.push({ what: 'tool', name, kind: 'doubled', fields: [] });
    else if (pinOfTool(tool) !== pin)
      found.push({ what: 'tool', name, kind: 'changed', fields: fieldChanges(before, tool) });
  }
  found.push(...resourceChanges(profile.allowedResources ?? [], admitted, now));
  if (now.tools.length > MAX_TOOLS) {
    const fields = [{ path: 'tools', before: `${admitted.tools.length}`, after: `more than ${MAX_TOOLS}` }];
    found.push({ what: 'tool', name: '*', kind: 'changed', fields });
  }
  if (profile.surfacePin !== pinOfRest(now)) found.push(...restChanges(admitted, now));
  const known = new Set(admitted.tools.map(nameOf));
  for (const name of new Set(now.tools.map(nameOf)))
    if (!known.has(name)) found.push({ what: 'tool', name, kind: 'added', fields: [] });
  return found;
}

/** A change of what was admitted; tools that nobody may call moving about is only worth a note. */
export const isGrave = (drift: Drift): boolean => drift.kind !== 'added';

/** One that is gone is only not there any more; one that is something else now is drift. */
function resourceChanges(
  allowed: NonNullable<ProviderProfile['allowedResources']>,
  admitted: ProviderSurface,
  now: ProviderSurface,
): readonly Drift[] {
  if (allowed.length === 0) return [];
  const before = new Map((admitted.resources ?? []).map((known) => [uriOf(known), known]));
  const after = Map.groupBy(now.resources ?? [], uriOf);
  return allowed.flatMap(({ uri, pin }): Drift[] => {
    const [shown, ...again] = after.get(uri) ?? [];
    if (!shown) return [];
    if (again.length > 0) return [{ what: 'resource', name: uri, kind: 'doubled', fields: [] }];
    if (pinOfResource(shown) === pin) return [];
    const fields = fieldChanges(before.get(uri) ?? {}, shown);
    return [{ what: 'resource', name: uri, kind: 'changed', fields }];
  });
}

function restChanges(admitted: ProviderSurface, now: ProviderSurface): readonly Drift[] {
  const parts = [
    ['identity', only(admitted.identity, IDENTITY), only(now.identity, IDENTITY)],
    ['instructions', { instructions: admitted.instructions }, { instructions: now.instructions }],
    ['prompts', named(admitted.prompts), named(now.prompts)],
    ['resource_templates', named(admitted.resourceTemplates), named(now.resourceTemplates)],
  ] as const;
  return parts.flatMap(([what, before, after]): Drift[] => {
    const fields = fieldChanges(before, after);
    return fields.length > 0 ? [{ what, name: what, kind: 'changed', fields }] : [];
  });
}

const IDENTITY = ['name', 'title', 'version'];

const named = (items: readonly Shown[]): Shown =>
  Object.fromEntries(items.map(({ icons: _, _meta: __, ...item }) => [nameOf(item), item]));

const MAX_FIELDS = 50;

function fieldChanges(before: Shown, after: Shown): readonly FieldChange[] {
  const found: FieldChange[] = [];
  walk('', before, after, found);
  return found.slice(0, MAX_FIELDS);
}

function walk(path: string, before: unknown, after: unknown, found: FieldChange[]): void {
  if (found.length >= MAX_FIELDS || said(before) === said(after)) return;
  if (isPlain(before) && isPlain(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      walk(path === '' ? key : `${path}.${key}`, before[key], after[key], found);
    return;
  }
  found.push({ path, before: shorten(said(before)), after: shorten(said(after)) });
}

const isPlain = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const said = (value: unknown): string | null => (value === undefined ? null : canonicalJson(value));

const shorten = (text: string | null): string | null =>
  text !== null && text.length > 400 ? `${text.slice(0, 400)}…` : text;
