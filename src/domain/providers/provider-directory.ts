/** Providers in memory: read at start, after every change made here, and when another process changed something. */
import type { UnitOfWork } from '../../kernel/ports/unit-of-work.ts';
import type { Provider, ProviderStore } from './ports/provider-store.ts';

export interface ProviderDirectory {
  all(): readonly Provider[];
  find(id: string): Provider | undefined;
  /** Reads again if the store has a newer version. */
  refresh(): Promise<void>;
  onChange(listener: () => void): () => void;
}

export async function createProviderDirectory(use: {
  readonly units: UnitOfWork;
  readonly store: ProviderStore;
}): Promise<ProviderDirectory> {
  const listeners = new Set<() => void>();
  const load = () =>
    use.units.read(async (scope) => ({
      version: await use.store.version(scope),
      providers: await use.store.all(scope),
    }));
  let current = await load();
  return {
    all: () => current.providers,
    find: (id) => current.providers.find(({ profile }) => profile.id === id),
    async refresh() {
      const version = await use.units.read((scope) => use.store.version(scope));
      if (version === current.version) return;
      current = await load();
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
