/** What managing providers works with; composition provides it. */
import type { SurfaceFinding } from './check-surface.ts';
import type { ProviderStore } from './ports/provider-store.ts';
import type { ProviderDirectory } from './provider-directory.ts';
import type { ProviderSurface } from './surface.ts';

export interface ProviderMeans {
  readonly providers: ProviderStore;
  readonly directory: ProviderDirectory;
  /** Names that are taken, so that no provider can stand before a family of ours. */
  readonly reservedIds: () => ReadonlySet<string>;
  /** What the text of descriptors gives away; see the firewall. */
  readonly screen: (surface: ProviderSurface, provider: string) => readonly SurfaceFinding[];
}
