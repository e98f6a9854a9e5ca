/** What memory works with; composition provides it. */
import type { IdSource } from '../../kernel/ids.ts';
import type { EventLog } from '../workspace/ports/event-log.ts';
import type { PageStore } from '../workspace/ports/page-store.ts';
import type { ProposalStore } from '../workspace/ports/proposal-store.ts';
import type { MemoryMeaning } from './nearest-items.ts';
import type { MemoryStore } from './ports/memory-store.ts';

export interface MemoryMeans {
  readonly memory: MemoryStore;
  readonly events: EventLog;
  /** For the titles of what a run changed. */
  readonly pages: Pick<PageStore, 'headers'>;
  readonly proposals: Pick<ProposalStore, 'insert' | 'decide' | 'reopen'>;
  readonly ids: IdSource;
  /** Without an embedder there is none. */
  readonly meaning?: MemoryMeaning;
}
