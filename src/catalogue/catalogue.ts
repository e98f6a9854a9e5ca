/** The one list of everything that can be called. It knows names and shapes, not who calls. */
import { digestJson } from '../kernel/canonical-json.ts';
import type { Family } from './family.ts';
import type { Prompt } from './prompt-definition.ts';
import { BUILT_IN } from './registration.ts';
import { canonicalUri, type Resource } from './resource-definition.ts';
import type { Tool } from './tool-definition.ts';
import { isProviderToolName, isToolName, MAX_NAME_LENGTH, nameInForm } from './tool-names.ts';

export type Entry = Tool | Resource | Prompt;

export interface FoundResource {
  readonly resource: Resource;
  readonly variables: Readonly<Record<string, string>>;
}

export interface Catalogue {
  /** Sorted by name, so that lists are the same for every connection. */
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
  /** Changes when anything a client can see of the catalogue changes. */
  readonly version: string;
  /** By either name form. */
  tool(name: string): Tool | undefined;
  prompt(name: string): Prompt | undefined;
  resource(uri: string): FoundResource | undefined;
  /** By the template itself. */
  template(uri: string): Resource | undefined;
}

export function createCatalogue(families: readonly Family[]): Catalogue {
  const byName = <T extends { readonly name: string }>(a: T, b: T): number => (a.name < b.name ? -1 : 1);
  const tools = families.flatMap((family) => family.tools).sort(byName);
  const prompts = families.flatMap((family) => family.prompts).sort(byName);
  const resources = families.flatMap((family) => family.resources).sort(byName);
  const toolsByName = indexNames('tool', tools);
  const promptsByName = indexNames('prompt', prompts);
  indexNames('resource', resources);
  // Every schema is rendered for it, which a command that calls one tool should not pay for at start.
  let version: string | undefined;
  return {
    tools,
    resources,
    prompts,
    get version() {
      version ??= catalogueVersion(tools, resources, prompts);
      return version;
    },
    tool: (name) => toolsByName.get(name),
    prompt: (name) => promptsByName.get(name),
    template: (uri) => resources.find((resource) => resource.uri.text === canonicalUri(uri)),
    resource(uri) {
      const wanted = canonicalUri(uri);
      for (const resource of resources) {
        const variables = resource.uri.match(wanted);
        if (variables) return { resource, variables };
      }
      return undefined;
    },
  };
}

function indexNames<T extends { readonly name: string; readonly server: string }>(
  kind: string,
  entries: readonly T[],
): Map<string, T> {
  const index = new Map<string, T>();
  for (const entry of entries) {
    const fits = entry.server === BUILT_IN ? isToolName : isProviderToolName;
    if (!fits(entry.name)) {
      throw new TypeError(
        `The ${kind} name "${entry.name}" must be dotted lower case words of at most ${MAX_NAME_LENGTH} characters`,
      );
    }
    for (const form of new Set([entry.name, nameInForm(entry.name, 'underscore', entry.server)])) {
      if (index.has(form)) throw new TypeError(`Two ${kind}s answer to the name "${form}"`);
      index.set(form, entry);
    }
  }
  return index;
}

function catalogueVersion(
  tools: readonly Tool[],
  resources: readonly Resource[],
  prompts: readonly Prompt[],
): string {
  const facts = [
    ...tools.map((tool) => [
      tool.name,
      tool.title,
      tool.summary,
      tool.effect,
      tool.input.json,
      tool.output?.json ?? null,
    ]),
    ...resources.map((resource) => [resource.name, resource.uri.text, resource.mimeType, resource.summary]),
    ...prompts.map((prompt) => [prompt.name, prompt.summary, prompt.arguments]),
  ];
  return digestJson(facts).slice('sha256:'.length, 'sha256:'.length + 16);
}
