/** Descriptors are read by models as well: what speaks to them or hides from people holds the tool, or all of them. */

import { aboutResource, MAX_RESOURCES } from '../check-rest.ts';
import type { SurfaceFinding } from '../check-surface.ts';
import { nameOf, type ProviderSurface, uriOf } from '../surface.ts';
import { findInjections } from './find-injections.ts';
import { removeInvisible } from './invisible.ts';
import type { FirewallRules } from './rules.ts';

export function screenSurface(rules: FirewallRules, surface: ProviderSurface): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const look = (about: string, path: string, value: unknown): void => {
    if (typeof value === 'string')
      found.push(
        ...problemsOf(rules, value).map((problem) => ({
          severity: 'hold' as const,
          about,
          field: path,
          problem,
        })),
      );
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      look(about, path === '' ? key : `${path}.${key}`, inner);
      if (!/^[\x20-\x7e]*$/.test(key)) look(about, `${path}.(name)`, key);
    }
  };
  for (const tool of surface.tools) look(nameOf(tool), '', tool);
  for (const resource of (surface.resources ?? []).slice(0, MAX_RESOURCES))
    look(aboutResource(uriOf(resource)), '', resource);
  const rest = {
    identity: surface.identity,
    instructions: surface.instructions,
    prompts: surface.prompts,
    resource_templates: surface.resourceTemplates,
  };
  // They concern every tool of the provider, so they hold it whole.
  for (const [field, value] of Object.entries(rest)) look('*', field, value);
  return found;
}

function problemsOf(rules: FirewallRules, text: string): readonly string[] {
  const hidden = removeInvisible(text).removed > 0 ? ['holds characters that cannot be seen'] : [];
  return [...hidden, ...findInjections(rules, text).map(({ rule }) => `speaks to the model (${rule})`)];
}
