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
  templateOf,
  uriOf,
} from './surface.ts';

export type DriftKind = 'changed' | 'vanished' | 'added' | 'doubled';

export interface Drift {
  readonly what:
    | 'tool'
    | 'unlisted_tool'
    | 'resource'
    | 'identity'
    | 'instructions'
    | 'prompts'
    | 'resource_templates'
    | 'surface';
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
  found.push(...restChanges(profile.surfacePin, admitted, now));
  found.push(...unlistedChanges(profile.allowedTools, admitted, now));
  return found;
}

/** A change of what was admitted; tools that nobody may call moving about is only worth a note. */
export const isGrave = ({ what, kind }: Drift): boolean => what !== 'unlisted_tool' && kind !== 'added';

/** More are not told one by one. */
const MAX_UNLISTED = 50;

function unlistedChanges(
  allowed: ProviderProfile['allowedTools'],
  admitted: ProviderSurface,
  now: ProviderSurface,
): readonly Drift[] {
  const listed = new Set(allowed.map(({ name }) => name));
  const unlisted = ({ tools }: ProviderSurface): ReadonlyMap<string, readonly Shown[]> =>
    Map.groupBy(
      tools.slice(0, MAX_TOOLS).filter((tool) => !listed.has(nameOf(tool))),
      nameOf,
    );
  const [before, after] = [unlisted(admitted), unlisted(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .flatMap((name) => unlistedChange(name, before.get(name) ?? [], after.get(name) ?? []))
    .slice(0, MAX_UNLISTED);
}

function unlistedChange(name: string, before: readonly Shown[], after: readonly Shown[]): readonly Drift[] {
  const what = 'unlisted_tool';
  const [[was], [is]] = [before, after];
  if (!was) return [{ what, name, kind: 'added', fields: [] }];
  if (!is) return [{ what, name, kind: 'vanished', fields: [] }];
  if (before.map(pinOfTool).join() === after.map(pinOfTool).join()) return [];
  return [{ what, name, kind: 'changed', fields: fieldChanges(was, is) }];
}

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

/** Another pin is another surface, whether or not we can say in what. */
function restChanges(pin: string | null, admitted: ProviderSurface, now: ProviderSurface): readonly Drift[] {
  const pinNow = pinOfRest(now);
  if (pinNow === pin) return [];
  const found = [
    change('identity', fieldChanges(only(admitted.identity, IDENTITY), only(now.identity, IDENTITY))),
    change(
      'instructions',
      fieldChanges({ instructions: admitted.instructions }, { instructions: now.instructions }),
    ),
    change('prompts', listChanges(admitted.prompts, now.prompts, nameOf)),
    change('resource_templates', listChanges(admitted.resourceTemplates, now.resourceTemplates, templateOf)),
  ].filter(({ fields }) => fields.length > 0);
  return found.length > 0 ? found : [change('surface', [{ path: 'pin', before: pin, after: pinNow }])];
}

const change = (what: Drift['what'], fields: readonly FieldChange[]): Drift => ({
  what,
  name: what,
  kind: 'changed',
  fields,
});

const IDENTITY = ['name', 'title', 'version'];

/** By what each is called, the second of a name as such; where nothing else differs, the order does. */
function listChanges(
  before: readonly Shown[],
  after: readonly Shown[],
  keyOf: (shown: Shown) => string,
): readonly FieldChange[] {
  const fields = fieldChanges(keyed(before, keyOf), keyed(after, keyOf));
  return fields.length > 0 ? fields : fieldChanges({ order: before.map(keyOf) }, { order: after.map(keyOf) });
}

function keyed(items: readonly Shown[], keyOf: (shown: Shown) => string): Shown {
  const groups = Map.groupBy(items, keyOf);
  return Object.fromEntries(
    [...groups].flatMap(([key, same]) =>
      same.map(({ icons: _, _meta: __, ...item }, at) => [at === 0 ? key : `${key} (${at + 1})`, item]),
    ),
  );
}

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
      walk(path === '' ? key : `${path}.${key}`, own(before, key), own(after, key), found);
    return;
  }
  found.push({ path, before: shorten(said(before)), after: shorten(said(after)) });
}

/** Keys are a server's words; some of them every object answers to. */
const own = (value: Shown, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

const isPlain = (value: unknown): value is Shown =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const said = (value: unknown): string | null => (value === undefined ? null : canonicalJson(value));

const shorten = (text: string | null): string | null =>
  text !== null && text.length > 400 ? `${text.slice(0, 400)}…` : text;
