/** How the prompts and resources of a provider look to whoever decides about them. */
import { z } from 'zod';
import { aboutPrompt, aboutResource, MAX_RESOURCES } from '../../domain/providers/check-rest.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { providerUri } from '../../domain/providers/provider-uris.ts';
import { nameOf, type Shown, templateOf, uriOf } from '../../domain/providers/surface.ts';

const shownFacts = {
  admitted: z.boolean(),
  description: z.string(),
  findings: z.array(z.string()),
};

export const restFacts = {
  prompts: z.array(z.object({ name: z.string(), wire_name: z.string(), ...shownFacts })),
  resources: z.array(
    z.object({
      uri: z.string(),
      wire_uri: z.string(),
      template: z.boolean(),
      name: z.string(),
      ...shownFacts,
    }),
  ),
};

export function restOf(provider: Provider) {
  const { profile, seen, admitted } = provider;
  const surface = seen ?? admitted;
  const prompts = new Set(profile.allowedPrompts ?? []);
  const uris = new Set([
    ...(profile.allowedResources ?? []).map(({ uri }) => uri),
    ...(profile.allowedTemplates ?? []),
  ]);
  const resource = (uri: string, template: boolean, shown: Shown) => ({
    uri,
    wire_uri: providerUri(profile.id, uri),
    template,
    name: nameOf(shown),
    admitted: uris.has(uri),
    ...wordsOf(provider, shown, aboutResource(uri)),
  });
  return {
    prompts: (surface?.prompts ?? []).map((shown) => ({
      name: nameOf(shown),
      wire_name: `${profile.id}.${nameOf(shown)}`,
      admitted: prompts.has(nameOf(shown)),
      ...wordsOf(provider, shown, aboutPrompt(nameOf(shown))),
    })),
    resources: [
      ...(surface?.resources ?? []).slice(0, MAX_RESOURCES).map((one) => resource(uriOf(one), false, one)),
      ...(surface?.resourceTemplates ?? []).map((one) => resource(templateOf(one), true, one)),
    ],
  };
}

const wordsOf = ({ findings }: Provider, { description }: Shown, name: string) => ({
  description: typeof description === 'string' ? description.slice(0, 2_000) : '',
  findings: findings
    .filter(({ about }) => about === name)
    .map(({ severity, field, problem }) => `${severity}: ${field} ${problem}`),
});
