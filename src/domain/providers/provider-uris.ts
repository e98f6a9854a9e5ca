/**
 * Addresses of what providers hold, as callers see them: the provider's own address behind a scheme of ours and its id.
 * No provider can so name something of Sluice or of another provider, and the rest of the address stays what it was.
 */
import type { Shown } from './surface.ts';

const SCHEME = 'sluice-provider://';

export const providerUri = (provider: string, uri: string): string => `${SCHEME}${provider}/${uri}`;

/** The provider's own address, or undefined for one that is not this provider's. */
export function upstreamUri(provider: string, uri: string): string | undefined {
  const prefix = providerUri(provider, '');
  return uri.startsWith(prefix) ? uri.slice(prefix.length) : undefined;
}

/** Addresses of the web stay what they are; all others mean something to the provider alone. */
const ofTheWeb = (uri: string): boolean => /^https?:/i.test(uri);

/** Blocks whose addresses lead back to the provider, through Sluice. */
export const withProviderUris = <Block extends Shown>(provider: string, blocks: readonly Block[]): Block[] =>
  blocks.map((block) => {
    if (block.type === 'resource_link' && typeof block.uri === 'string' && !ofTheWeb(block.uri))
      return { ...block, uri: providerUri(provider, block.uri) };
    const { resource } = block as { readonly resource?: { readonly uri?: unknown } };
    if (block.type === 'resource' && typeof resource?.uri === 'string' && !ofTheWeb(resource.uri))
      return { ...block, resource: { ...resource, uri: providerUri(provider, resource.uri) } };
    return block;
  });
