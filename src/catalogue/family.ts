/** A family: the tools, resources and prompts that share one set of means, declared together. */
import type { DeclaredPrompt } from './prompt-definition.ts';
import { bindPrompt, type Prompt } from './prompt-definition.ts';
import { bindResource, type DeclaredResource, type Resource } from './resource-definition.ts';
import { bindTool, type DeclaredTool, type Tool } from './tool-definition.ts';

export interface DeclaredFamily<Use> {
  readonly name: string;
  readonly tools: readonly DeclaredTool<Use>[];
  readonly resources: readonly DeclaredResource<Use>[];
  readonly prompts: readonly DeclaredPrompt<Use>[];
}

export interface Family {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

export function defineFamily<Use>(
  name: string,
  members: Partial<Omit<DeclaredFamily<Use>, 'name'>>,
): DeclaredFamily<Use> {
  return { name, tools: [], resources: [], prompts: [], ...members };
}

export function bindFamily<Use>(family: DeclaredFamily<Use>, use: Use): Family {
  return {
    name: family.name,
    tools: family.tools.map((tool) => bindTool(tool, family.name, use)),
    resources: family.resources.map((resource) => bindResource(resource, family.name, use)),
    prompts: family.prompts.map((prompt) => bindPrompt(prompt, family.name, use)),
  };
}
