/** The admitted prompts and resources of providers as entries of the catalogue, beside their tools. */
import type { Family } from '../../catalogue/family.ts';
import type { Prompt } from '../../catalogue/prompt-definition.ts';
import type { Resource } from '../../catalogue/resource-definition.ts';
import { nameInForm } from '../../catalogue/tool-names.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { upstreamPrompt } from './upstream-prompt.ts';
import { upstreamResource, upstreamTemplate } from './upstream-resource.ts';

export function upstreamRest(
  use: ProviderFamilyMeans,
  providers: readonly Provider[],
): Pick<Family, 'prompts' | 'resources'> {
  const prompts = providers.flatMap((provider): Prompt[] =>
    (provider.profile.allowedPrompts ?? []).map((name) => upstreamPrompt(use, provider, name)),
  );
  const resources = providers.flatMap((provider): Resource[] => [
    ...(provider.profile.allowedResources ?? []).map(({ uri }) => upstreamResource(use, provider, uri)),
    ...(provider.profile.allowedTemplates ?? []).map((uri) => upstreamTemplate(use, provider, uri)),
  ]);
  return { prompts: tellable(prompts), resources: tellable(resources) };
}

/** Two that a client could not tell apart: the first stays, the other is not offered. */
function tellable<Entry extends { readonly name: string }>(entries: readonly Entry[]): readonly Entry[] {
  const forms = new Set<string>();
  return entries.filter(({ name }) => {
    const form = nameInForm(name, 'underscore');
    if (forms.has(form)) return false;
    forms.add(form);
    return true;
  });
}
