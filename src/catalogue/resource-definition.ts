/** `defineResource`: something readable by URI, governed by the same metadata and the same pipeline as a tool. */
import type { Caller } from '../kernel/caller.ts';
import type { WorkspaceId } from '../kernel/ids.ts';
import type { ReadScope } from '../kernel/ports/unit-of-work.ts';
import type { ReadContext } from './call-context.ts';
import { type BoundCompleter, bindCompleters, type Completers } from './completion.ts';
import type { EmbeddedResource, Judged } from './content.ts';
import { completeRegistration, type DeclaredRegistration, type Registration } from './registration.ts';
import { parseUriTemplate, type UriTemplate } from './uri-template.ts';

/** The scheme of the product this one grew out of; its URIs keep working. */
const SCHEME_ALIASES: Readonly<Record<string, string>> = { 'inklings://': 'sluice://' };

export type ResourceContent = { readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly bytes: Uint8Array }
);

type Variables = Readonly<Record<string, string>>;

/** The id of what the resource shows, whose changes change it; null for everything in the workspace. */
type Follows<Use> = (
  use: Use,
  variables: Variables,
  workspace: WorkspaceId,
  read: ReadScope,
) => Promise<string | null>;

interface ResourceFacts extends Registration {
  readonly kind: 'resource';
  /** An action takes its time outside of the store. */
  readonly mode: 'read' | 'action';
  readonly uri: UriTemplate;
  readonly mimeType: string;
}

export type DeclaredResource<Use> = ResourceFacts & {
  readonly complete: Completers<Use>;
  readonly follows?: Follows<Use>;
  handler(use: Use, variables: Variables, call: ReadContext): Promise<ResourceContent>;
};

export interface Resource extends ResourceFacts {
  readonly family: string;
  readonly complete: Readonly<Record<string, BoundCompleter>>;
  /** Absent where no change of a workspace changes it. */
  readonly follows?: (
    variables: Variables,
    workspace: WorkspaceId,
    read: ReadScope,
  ) => Promise<string | null>;
  /** Where it is changed outside of every workspace: tells whoever follows it, from when it stands until it is ended. */
  readonly updates?: (
    variables: Variables,
    caller: Caller,
    changed: () => void,
  ) => { end(): void; readonly stands: Promise<void> };
  handler(
    variables: Variables,
    call: ReadContext,
  ): Promise<ResourceContent | Judged<readonly EmbeddedResource[]>>;
}

export function defineResource<Use>(
  declared: Omit<DeclaredRegistration, 'effect'> & {
    readonly uri: string;
    readonly mimeType: string;
    readonly complete?: Completers<Use>;
    readonly follows?: Follows<Use>;
    readonly handler: DeclaredResource<Use>['handler'];
  },
): DeclaredResource<Use> {
  return {
    ...completeRegistration({ ...declared, effect: 'read_only' }),
    kind: 'resource',
    mode: 'read',
    uri: parseUriTemplate(declared.uri),
    mimeType: declared.mimeType,
    complete: declared.complete ?? {},
    ...(declared.follows && { follows: declared.follows }),
    handler: declared.handler,
  };
}

export function bindResource<Use>(resource: DeclaredResource<Use>, family: string, use: Use): Resource {
  const { follows, ...facts } = resource;
  return {
    ...facts,
    family,
    complete: bindCompleters(resource.complete, use),
    ...(follows && { follows: follows.bind(undefined, use) }),
    handler: resource.handler.bind(undefined, use),
  };
}

export function canonicalUri(uri: string): string {
  for (const [alias, scheme] of Object.entries(SCHEME_ALIASES)) {
    if (uri.startsWith(alias)) return scheme + uri.slice(alias.length);
  }
  return uri;
}
