/** Every text in an answer, wherever it stands, in one fixed order; so that all of them can be looked at together. */
import type { ProviderContent, ProviderResource, ProviderResult } from '../result.ts';

/** A `link` may be fetched by whoever gets it, without anybody's click. */
export type TextKind = 'text' | 'uri' | 'link' | 'key' | 'value';
export type MapText = (text: string, kind: TextKind) => string;

const MIME_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,100}(?:; ?charset=[\w-]{1,20})?$/;

export function mapTexts(result: ProviderResult, map: MapText): ProviderResult {
  return {
    ...result,
    content: result.content.map((block) => mapBlock(block, map)),
    structured: mapValue(result.structured, map),
  };
}

function mapBlock(block: ProviderContent, map: MapText): ProviderContent {
  switch (block.type) {
    case 'text':
      return { ...block, text: map(block.text, 'text') };
    case 'resource':
      return { ...block, resource: mapResource(block.resource, map) };
    case 'resource_link':
      return {
        ...block,
        uri: map(block.uri, 'link'),
        name: map(block.name, 'text'),
        ...(block.title !== undefined && { title: map(block.title, 'text') }),
        ...(block.description !== undefined && { description: map(block.description, 'text') }),
        ...(block.mimeType !== undefined && { mimeType: mimeType(block.mimeType) }),
      };
    default:
      return { ...block, mimeType: mimeType(block.mimeType) };
  }
}

function mapResource(resource: ProviderResource, map: MapText): ProviderResource {
  const about = { uri: map(resource.uri, 'uri'), mimeType: mimeType(resource.mimeType) };
  return 'text' in resource
    ? { ...about, text: map(resource.text, 'text') }
    : { ...about, blob: resource.blob };
}

/** It names a kind of data and nothing else. */
const mimeType = (given: string): string => (MIME_TYPE.test(given) ? given : 'application/octet-stream');

function mapValue(value: unknown, map: MapText): unknown {
  if (typeof value === 'string') return map(value, 'value');
  if (Array.isArray(value)) return value.map((item) => mapValue(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [map(key, 'key'), mapValue(inner, map)]),
  );
}
