/** A provider's raw result in a form of our own: known kinds of content with their fields, and nothing else of it. */
import { refusal } from './refusals.ts';
import { isShown, type Shown } from './surface.ts';

/** For whom a block is and how much it matters. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  /** From 0 to 1. */
  readonly priority?: number;
  readonly lastModified?: string;
}

export type ProviderContent = { readonly annotations?: ContentAnnotations } & ProviderBlock;

type ProviderBlock =
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
  /** Any value; undefined where there is none. */
  readonly structured: unknown;
  readonly isError: boolean;
}

const MAX_BLOCKS = 1_000;

/** Since this revision structure may be any value; before, it is an object. */
const ANY_STRUCTURE = '2026-07-28';

export function readResult(provider: string, raw: Shown, revision?: string): ProviderResult {
  refuseContinuation(provider, raw);
  const blocks = raw.content ?? [];
  if (!Array.isArray(blocks) || blocks.length > MAX_BLOCKS)
    throw invalidResult(provider, `has no list of at most ${MAX_BLOCKS} blocks`);
  const { structuredContent: structured } = raw;
  if (structured !== undefined && !isShown(structured) && (revision ?? '') < ANY_STRUCTURE)
    throw invalidResult(provider, 'has structured content that is no object');
  return {
    content: blocks.map((block) => readBlock(provider, block)),
    structured,
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
  return { ...readKind(provider, block), ...annotationsIn(block.annotations) };
}

/** Only what is known, and as it has to be; nobody needs the rest. */
function annotationsIn(given: unknown): { readonly annotations?: ContentAnnotations } {
  if (!isShown(given)) return {};
  const { audience, priority, lastModified } = given;
  const annotations: ContentAnnotations = {
    ...(isAudience(audience) && { audience: [...new Set(audience)] }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(typeof lastModified === 'string' && INSTANT.test(lastModified) && { lastModified }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const isAudience = (given: unknown): given is ('user' | 'assistant')[] =>
  Array.isArray(given) && given.length > 0 && given.every((one) => one === 'user' || one === 'assistant');

function readKind(provider: string, block: Shown): ProviderBlock {
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
