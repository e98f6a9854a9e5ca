/** Lets content be derived from what is remembered as well: `memory:` and an id. Everything else is left to the rest. */
import type { MemoryMeans } from '../domain/memory/means.ts';
import { viewerOf, visibleItem } from '../domain/memory/viewer.ts';
import { SluiceError } from '../kernel/errors.ts';
import type { SourceResolver } from '../kernel/ports/source-resolver.ts';

const PREFIX = 'memory:';

export function withMemorySources(use: Pick<MemoryMeans, 'memory'>, rest: SourceResolver): SourceResolver {
  return {
    async resolve(scope, caller, reference, field) {
      if (!reference.startsWith(PREFIX)) return rest.resolve(scope, caller, reference, field);
      const { workspace } = caller.context;
      if (!workspace) throw new SluiceError('no_workspace', 'No workspace is open for this caller');
      const id = reference.slice(PREFIX.length);
      const item = await visibleItem(use, scope, workspace, viewerOf(caller), id, field);
      return { kind: 'memory', id: item.id, version: String(item.version) };
    },
  };
}
