/** `defineResource`: something readable by URI, governed by the same metadata and the same pipeline as a tool. */
import type { ReadContext } from './call-context.ts';
import { completeRegistration, type DeclaredRegistration, type Registration } from './registration.ts';
import { parseUriTemplate, type UriTemplate } from './uri-template.ts';

/** The scheme of the product this one grew out of; its URIs keep working. */
const SCHEME_ALIASES: Readonly<Record<string, string>> = { 'inklings://': 'sluice://' };

export interface ResourceText {
  readonly mimeType: string;
  readonly text: string;
}

interface ResourceFacts extends Registration {
  readonly kind: 'resource';
  readonly uri: UriTemplate;
  readonly mimeType: string;
}

export type DeclaredResource<Use> = ResourceFacts & {
  handler(use: Use, variables: Readonly<Record<string, string>>, call: ReadContext): Promise<ResourceText>;
};

export interface Resource extends ResourceFacts {
  readonly family: string;
  handler(variables: Readonly<Record<string, string>>, call: ReadContext): Promise<ResourceText>;
}

export function defineResource<Use>(
  declared: Omit<DeclaredRegistration, 'effect'> & {
    readonly uri: string;
    readonly mimeType: string;
    readonly handler: DeclaredResource<Use>['handler'];
  },
): DeclaredResource<Use> {
  return {
    ...completeRegistration({ ...declared, effect: 'read_only' }),
    kind: 'resource',
    uri: parseUriTemplate(declared.uri),
    mimeType: declared.mimeType,
    handler: declared.handler,
  };
}

export function bindResource<Use>(resource: DeclaredResource<Use>, family: string, use: Use): Resource {
  return { ...resource, family, handler: resource.handler.bind(undefined, use) };
}

export function canonicalUri(uri: string): string {
  for (const [alias, scheme] of Object.entries(SCHEME_ALIASES)) {
    if (uri.startsWith(alias)) return scheme + uri.slice(alias.length);
  }
  return uri;
}
