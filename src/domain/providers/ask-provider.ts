/** What is asked of a provider besides calls of its tools: prompts, resources and suggestions; all of it admitted. */
import { type AdmittedMeans, asking, callAdmitted } from './admitted-call.ts';
import { refuseCredentials } from './credential-check.ts';
import type { Provider } from './ports/provider-store.ts';
import { type Asking, UpstreamFailure, type UpstreamRequest } from './ports/upstream.ts';
import { type ProviderProfile, patienceOf } from './profile.ts';
import { refusal } from './refusals.ts';
import type { Shown } from './surface.ts';
import { readTemplate } from './uri-templates.ts';

export type ProviderAsk =
  | { readonly kind: 'prompt'; readonly name: string; readonly arguments: Readonly<Record<string, string>> }
  | { readonly kind: 'resource'; readonly uri: string }
  | {
      readonly kind: 'completion';
      readonly of:
        | { readonly kind: 'prompt'; readonly name: string }
        | { readonly kind: 'template'; readonly uri: string };
      readonly argument: string;
      readonly value: string;
      readonly others: Readonly<Record<string, string>>;
    };

export type AskOptions = Pick<UpstreamRequest, 'signal' | 'onProgress' | keyof Asking> & {
  readonly user: string;
};

/** As it came; throws a refusal for everything else. */
export function askProvider(
  use: AdmittedMeans,
  id: string,
  ask: ProviderAsk,
  options: AskOptions,
): Promise<Shown> {
  if (ask.kind === 'prompt') refuseCredentials(id, ask.arguments);
  return callAdmitted(use, id, {
    effect: 'READ_ONLY',
    repeatable: true,
    signal: options.signal,
    user: options.user,
    require(current) {
      if (!isAdmitted(current, ask))
        throw refusal('DELEG_CAPABILITY_NOT_ALLOWED', id, `this ${ask.kind} of "${id}" was not admitted`);
    },
    async send(link, { profile }, onAsked) {
      try {
        const request = { ...options, ...asking(options, onAsked), ...requestOf(ask) };
        return await link.ask({ ...request, ...patienceOf(profile.limits) });
      } catch (error) {
        // Suggestions are no more than that: a server without them has none.
        if (ask.kind === 'completion' && error instanceof UpstreamFailure && error.kind === 'refused')
          return {};
        throw error;
      }
    },
  });
}

function isAdmitted({ profile }: Provider, ask: ProviderAsk): boolean {
  if (ask.kind === 'resource') return isAdmittedResource(profile, ask.uri);
  const of = ask.kind === 'prompt' ? ask : ask.of;
  return of.kind === 'prompt'
    ? (profile.allowedPrompts ?? []).includes(of.name)
    : (profile.allowedTemplates ?? []).includes(of.uri);
}

export const isAdmittedResource = (
  { allowedResources = [], allowedTemplates = [] }: ProviderProfile,
  uri: string,
): boolean =>
  allowedResources.some((allowed) => allowed.uri === uri) ||
  allowedTemplates.some((template) => readTemplate(template)?.matches(uri));

function requestOf(ask: ProviderAsk): Pick<UpstreamRequest, 'method' | 'params'> {
  switch (ask.kind) {
    case 'prompt':
      return { method: 'prompts/get', params: { name: ask.name, arguments: ask.arguments } };
    case 'resource':
      return { method: 'resources/read', params: { uri: ask.uri } };
    case 'completion':
      return {
        method: 'completion/complete',
        params: {
          ref:
            ask.of.kind === 'prompt'
              ? { type: 'ref/prompt', name: ask.of.name }
              : { type: 'ref/resource', uri: ask.of.uri },
          argument: { name: ask.argument, value: ask.value },
          ...(Object.keys(ask.others).length > 0 && { context: { arguments: ask.others } }),
        },
      };
  }
}
