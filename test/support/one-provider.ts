/** A directory that holds one provider and never changes. */

import type { Provider } from '../../src/domain/providers/ports/provider-store.ts';
import type { ProviderDirectory } from '../../src/domain/providers/provider-directory.ts';

export const directoryOf = (provider: Provider): ProviderDirectory => ({
  all: () => [provider],
  find: () => provider,
  refresh: async () => undefined,
  onChange: () => () => undefined,
});
