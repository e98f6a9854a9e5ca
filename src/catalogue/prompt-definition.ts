/** `definePrompt`: a ready-made request to a model, filled from the workspace under the same gates as a tool. */
import type { ReadContext } from './call-context.ts';
import { type BoundCompleter, bindCompleters, type Completers } from './completion.ts';
import type { Content, Judged } from './content.ts';
import { completeRegistration, type DeclaredRegistration, type Registration } from './registration.ts';

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
}

interface PromptFacts extends Registration {
  readonly kind: 'prompt';
  /** An action takes its time outside of the store. */
  readonly mode: 'read' | 'action';
  readonly arguments: readonly PromptArgument[];
}

export type PromptInput = Readonly<Record<string, string>>;

export type DeclaredPrompt<Use> = PromptFacts & {
  readonly complete: Completers<Use>;
  handler(use: Use, input: PromptInput, call: ReadContext): Promise<readonly PromptMessage[]>;
};

export interface Prompt extends PromptFacts {
  readonly family: string;
  readonly complete: Readonly<Record<string, BoundCompleter>>;
  handler(
    input: PromptInput,
    call: ReadContext,
  ): Promise<readonly PromptMessage[] | Judged<readonly PromptMessage[]>>;
}

export function definePrompt<Use>(
  declared: Omit<DeclaredRegistration, 'effect'> & {
    readonly arguments: readonly PromptArgument[];
    readonly complete?: Completers<Use>;
    readonly handler: DeclaredPrompt<Use>['handler'];
  },
): DeclaredPrompt<Use> {
  return {
    ...completeRegistration({ ...declared, effect: 'read_only' }),
    kind: 'prompt',
    mode: 'read',
    arguments: declared.arguments,
    complete: declared.complete ?? {},
    handler: declared.handler,
  };
}

export function bindPrompt<Use>(prompt: DeclaredPrompt<Use>, family: string, use: Use): Prompt {
  return {
    ...prompt,
    family,
    complete: bindCompleters(prompt.complete, use),
    handler: prompt.handler.bind(undefined, use),
  };
}
