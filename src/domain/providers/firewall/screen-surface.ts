/**
 * Descriptors are read by models as well: what speaks to them, hides from people, is a credential or would be fetched
 * holds the tool, or all of them. They are pinned as they are, so that nothing can be taken out as in an answer.
 */

import { aboutResource, MAX_RESOURCES } from '../check-rest.ts';
import type { SurfaceFinding } from '../check-surface.ts';
import { nameOf, type ProviderSurface, uriOf } from '../surface.ts';
import { findInjections } from './find-injections.ts';
import { secretSpans } from './find-secrets.ts';
import { removeInvisible } from './invisible.ts';
import { namedAddresses, neutraliseLinks } from './neutralise-links.ts';
import { actionFor, type FirewallRules } from './rules.ts';

type Problem = Pick<SurfaceFinding, 'severity' | 'problem'>;

/** `allowedHosts` are those whose pictures the provider may show. */
export function screenSurface(
  rules: FirewallRules,
  surface: ProviderSurface,
  allowedHosts: readonly string[] = [],
): readonly SurfaceFinding[] {
  const found: SurfaceFinding[] = [];
  const look = (about: string, path: string, value: unknown): void => {
    if (typeof value === 'string')
      found.push(
        ...problemsOf(rules, value, allowedHosts).map((problem) => ({ about, field: path, ...problem })),
      );
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      look(about, path === '' ? key : `${path}.${key}`, inner);
      if (!Array.isArray(value)) look(about, `${path}.(name)`, key);
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

function problemsOf(rules: FirewallRules, text: string, allowedHosts: readonly string[]): readonly Problem[] {
  const hold = (problem: string): Problem => ({ severity: 'hold', problem });
  const hidden = removeInvisible(text).removed > 0 ? [hold('holds characters that cannot be seen')] : [];
  const spoken = findInjections(rules, text).map(({ rule }) => hold(`speaks to the model (${rule})`));
  const fetched = wouldFetch(rules, text, allowedHosts)
    ? [hold('holds a picture, markup or address that would lead away')]
    : [];
  return [...hidden, ...spoken, ...secretsOf(rules, text), ...fetched];
}

/** What could be an example is for the person who looks at it; what is a credential beyond doubt is not shown around. */
function secretsOf(rules: FirewallRules, text: string): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const { rule, class: sensitivity, sure } of secretSpans(rules, text)) {
    // As for somebody of whom nothing is known yet.
    const action = actionFor(rules, sensitivity, 'USER_ADDED_REVIEWED');
    if (action === 'annotate') continue;
    const severity = sure || action !== 'redact' ? 'hold' : 'note';
    const problem = `holds what looks like a secret or personal (${rule})`;
    if (problems.get(rule)?.severity !== 'hold') problems.set(rule, { severity, problem });
  }
  return [...problems.values()];
}

/** Names of tags, as a tool may have that reads pages. */
const BARE_TAG = /<\/?[a-z][a-z0-9]{0,20}\s?\/?>/gi;

function wouldFetch({ redirectors }: FirewallRules, text: string, allowedHosts: readonly string[]): boolean {
  const named = namedAddresses([text]);
  const allowed = (host: string): boolean => allowedHosts.includes(host);
  return neutraliseLinks(text.replaceAll(BARE_TAG, ' '), { allowed, redirectors, named }).count > 0;
}
