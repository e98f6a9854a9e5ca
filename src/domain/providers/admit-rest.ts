/** Which prompts and resources of a provider a person lets in: those that are named, or all that nothing holds. */
import { invalidInput } from '../../kernel/errors.ts';
import { aboutPrompt, aboutResource, MAX_RESOURCES } from './check-rest.ts';
import type { ProviderProfile } from './profile.ts';
import { nameOf, type ProviderSurface, pinOfResource, templateOf, uriOf } from './surface.ts';

/** Names of prompts; URIs of resources and templates as the provider writes them. */
export interface RestChoice {
  readonly prompts: readonly string[] | 'all';
  readonly resources: readonly string[] | 'all';
}

type AdmittedRest = Required<
  Pick<ProviderProfile, 'allowedPrompts' | 'allowedResources' | 'allowedTemplates'>
>;

export function admittedRest(
  seen: ProviderSurface,
  held: ReadonlySet<string>,
  wanted: RestChoice,
): AdmittedRest {
  const prompts = chosen('admit_prompts', wanted.prompts, seen.prompts.map(nameOf), held, aboutPrompt);
  const shown = (seen.resources ?? []).slice(0, MAX_RESOURCES);
  const templates = seen.resourceTemplates.map(templateOf);
  const uris = [...shown.map(uriOf), ...templates];
  const resources = new Set(chosen('admit_resources', wanted.resources, uris, held, aboutResource));
  const isTemplate = new Set(templates);
  return {
    allowedPrompts: prompts,
    allowedTemplates: [...resources].filter((uri) => isTemplate.has(uri)),
    allowedResources: shown
      .filter((resource) => resources.has(uriOf(resource)))
      .map((resource) => ({ uri: uriOf(resource), pin: pinOfResource(resource) })),
  };
}

function chosen(
  field: string,
  wanted: readonly string[] | 'all',
  shown: readonly string[],
  held: ReadonlySet<string>,
  about: (name: string) => string,
): readonly string[] {
  if (wanted === 'all') return [...new Set(shown)].filter((name) => !held.has(about(name)));
  for (const name of wanted) {
    if (!shown.includes(name)) throw invalidInput(field, `names "${name}", which the provider does not show`);
    if (held.has(about(name))) throw invalidInput(field, `names "${name}", which a finding holds`);
  }
  return [...new Set(wanted)];
}

/** What was let in before and is still shown without a finding that holds it. */
export function restAsBefore(
  { allowedPrompts = [], allowedResources = [], allowedTemplates = [] }: ProviderProfile,
  seen: ProviderSurface,
  held: ReadonlySet<string>,
): RestChoice {
  const prompts = new Set(seen.prompts.map(nameOf));
  const uris = new Set([...(seen.resources ?? []).map(uriOf), ...seen.resourceTemplates.map(templateOf)]);
  const before = [...allowedResources.map(({ uri }) => uri), ...allowedTemplates];
  return {
    prompts: allowedPrompts.filter((name) => prompts.has(name) && !held.has(aboutPrompt(name))),
    resources: before.filter((uri) => uris.has(uri) && !held.has(aboutResource(uri))),
  };
}
