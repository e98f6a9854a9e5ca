/** What a provider answers for prompts, resources and suggestions, in a form of our own and bounded. */
import {
  invalidResult,
  type ProviderContent,
  readBlock,
  readResource,
  refuseContinuation,
} from './result.ts';
import type { Shown } from './surface.ts';

const MAX_PARTS = 1_000;
const MAX_SUGGESTIONS = 100;
const MAX_SUGGESTION = 256;

export interface ProviderMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ProviderContent;
}

export function readMessages(provider: string, raw: Shown): readonly ProviderMessage[] {
  refuseContinuation(provider, raw);
  return partsOf(provider, raw.messages).map((message) => {
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant')
      throw invalidResult(provider, 'has a message of nobody known');
    return { role, content: readBlock(provider, content) };
  });
}

export function readContents(provider: string, raw: Shown): readonly ProviderContent[] {
  refuseContinuation(provider, raw);
  return partsOf(provider, raw.contents).map((part) => ({
    type: 'resource',
    resource: readResource(provider, part),
  }));
}

/** What is no suggestion is left out: nobody waits for one. */
export function readSuggestions(raw: Shown): readonly string[] {
  const { values } = (raw.completion ?? {}) as Shown;
  if (!Array.isArray(values)) return [];
  return values
    .slice(0, MAX_SUGGESTIONS)
    .filter((value): value is string => typeof value === 'string' && value.length <= MAX_SUGGESTION);
}

function partsOf(provider: string, parts: unknown): readonly Shown[] {
  const sound =
    Array.isArray(parts) &&
    parts.length <= MAX_PARTS &&
    parts.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part));
  if (!sound) throw invalidResult(provider, `has no list of at most ${MAX_PARTS} parts`);
  return parts;
}
