/** A resource of a provider, or a template of them, under an address that no other provider and nothing of ours has. */
import type { ReadContext } from '../../catalogue/call-context.ts';
import { type EmbeddedResource, Judged } from '../../catalogue/content.ts';
import type { Resource } from '../../catalogue/resource-definition.ts';
import type { UriTemplate } from '../../catalogue/uri-template.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { providerUri, upstreamUri } from '../../domain/providers/provider-uris.ts';
import { readContents } from '../../domain/providers/rest-results.ts';
import { nameOf, type Shown, templateOf, uriOf } from '../../domain/providers/surface.ts';
import { readTemplate } from '../../domain/providers/uri-templates.ts';
import { sha256Hex } from '../../kernel/canonical-json.ts';
import { passes, recordedVerdict, withheld } from './held-back.ts';
import { inItsWords } from './in-its-words.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { labelOf } from './pass-on.ts';
import { suggestions } from './upstream-completion.ts';
import { textOf, upstreamRegistration } from './upstream-shape.ts';

export function upstreamResource(use: ProviderFamilyMeans, provider: Provider, uri: string): Resource {
  const shown = provider.admitted?.resources?.find((one) => uriOf(one) === uri) ?? {};
  return entryOf(use, provider, shown, uri, [], (asked) => asked === uri);
}

export function upstreamTemplate(use: ProviderFamilyMeans, provider: Provider, uri: string): Resource {
  const shown = provider.admitted?.resourceTemplates.find((one) => templateOf(one) === uri) ?? {};
  const template = readTemplate(uri);
  const variables = template?.variables ?? [];
  return {
    ...entryOf(use, provider, shown, uri, variables, (asked) => template?.matches(asked) ?? false),
    complete: Object.fromEntries(
      variables.map((name) => [name, suggestions(use, provider, { kind: 'template', uri }, name)]),
    ),
  };
}

function entryOf(
  use: ProviderFamilyMeans,
  provider: Provider,
  shown: Shown,
  uri: string,
  variables: readonly string[],
  fits: (uri: string) => boolean,
): Resource {
  const { id } = provider.profile;
  const address: UriTemplate = {
    text: providerUri(id, uri),
    variables,
    match(asked) {
      const inner = upstreamUri(id, asked);
      return inner !== undefined && fits(inner) ? { uri: inner } : undefined;
    },
  };
  return {
    ...upstreamRegistration(use, provider, entryName(id, shown, uri), shown),
    kind: 'resource',
    mode: 'action',
    family: 'providers',
    uri: address,
    mimeType: textOf(shown.mimeType) ?? 'text/plain',
    complete: {},
    updates: (found, { principal }, changed) => use.live.follow(id, found.uri ?? '', principal.name, changed),
    handler: (found, call) => readResource(use, provider, found.uri ?? '', call),
  };
}

/** Rules and records name entries; an address is no name, so it gets one that stays the same. */
function entryName(id: string, shown: Shown, uri: string): string {
  const word = nameOf(shown)
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 20);
  return `${id}.${word === '' ? 'resource' : word}_${sha256Hex(uri).slice(0, 8)}`;
}

async function readResource(
  use: ProviderFamilyMeans,
  { profile }: Provider,
  uri: string,
  call: ReadContext,
): Promise<Judged<readonly EmbeddedResource[]>> {
  const { signal, caller } = call;
  const user = caller.principal.name;
  const { run } = caller.context;
  call.sends(use.checkArguments(profile, { uri }, run));
  const raw = await inItsWords(use, profile, run, () =>
    use.live.ask(profile.id, { kind: 'resource', uri }, { signal, user }),
  );
  const content = readContents(profile.id, raw);
  const inspection = await use.inspect(
    profile,
    { content, structured: undefined, isError: false },
    run,
    signal,
  );
  const value = inspection.result.content.flatMap((block) =>
    block.type === 'resource'
      ? [{ ...block.resource, uri: providerUri(profile.id, block.resource.uri) }]
      : [],
  );
  const judged = new Judged(value, labelOf(profile.id, inspection), recordedVerdict(inspection));
  if (!passes(inspection)) throw withheld(profile.id, inspection, judged);
  return judged;
}
