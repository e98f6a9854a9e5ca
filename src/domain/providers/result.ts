/** A provider's raw result in a form of our own: known kinds of content with their fields, and nothing else of it. */
import { refusal } from './refusals.ts';
import { isShown, type Shown } from './surface.ts';

export type ProviderContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource'; readonly resource: ProviderResource }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
    };

export type ProviderResource = { readonly uri: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

export interface ProviderResult {
  readonly content: readonly ProviderContent[];
  readonly structured: Shown | undefined;
  readonly isError: boolean;
}

const MAX_BLOCKS = 1_000;

export function readResult(provider: string, raw: Shown): ProviderResult {
  refuseContinuation(provider, raw);
  const blocks = raw.content ?? [];
  if (!Array.isArray(blocks) || blocks.length > MAX_BLOCKS)
    throw invalidResult(provider, `has no list of at most ${MAX_BLOCKS} blocks`);
  if (raw.structuredContent !== undefined && !isShown(raw.structuredContent))
    throw invalidResult(provider, 'has structured content that is no object');
  return {
    content: blocks.map((block) => readBlock(provider, block)),
    structured: raw.structuredContent,
    isError: raw.isError === true,
  };
}

/** An answer that goes on by itself, asks for something or hands out a ticket is taken whole or not at all. */
export function refuseContinuation(provider: string, raw: Shown): void {
  const kind = raw.resultType;
  if ((kind !== undefined && kind !== 'complete') || 'inputRequests' in raw || 'task' in raw)
    throw invalidResult(provider, 'wants to go on with the call in a way that is not let through');
}

export function readBlock(provider: string, block: unknown): ProviderContent {
  if (!isShown(block)) throw invalidResult(provider, 'has a block that is no object');
  const { type, text, data, mimeType, resource } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return { type, data, mimeType };
  if (type === 'resource' && isShown(resource)) return { type, resource: readResource(provider, resource) };
  if (type === 'resource_link' && typeof block.uri === 'string')
    return {
      type,
      uri: block.uri,
      name: String(block.name ?? block.uri),
      ...texts(block, ['title', 'description', 'mimeType']),
    };
  throw invalidResult(provider, `has a block of an unknown kind or form`);
}

export function readResource(provider: string, resource: Shown): ProviderResource {
  const { uri, text, blob } = resource;
  const about = { uri: String(uri ?? ''), mimeType: String(resource.mimeType ?? 'text/plain') };
  if (typeof text === 'string') return { ...about, text };
  if (typeof blob === 'string') return { ...about, blob };
  throw invalidResult(provider, 'has a resource without text or bytes');
}

const texts = (block: Shown, fields: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    fields.flatMap((field) => (typeof block[field] === 'string' ? [[field, block[field] as string]] : [])),
  );

export const invalidResult = (provider: string, problem: string) =>
  refusal('DELEG_PROVIDER_DRIFTED', provider, `the answer of "${provider}" ${problem}; do without it`, {
    diagnostic: 'DELEG_GATEWAY_MCP_RESULT_INVALID',
    verdict: 'PROVIDER_DRIFTED',
  });
