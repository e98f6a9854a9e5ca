/** The memory family: four tiers, and the scratch paper of a job. */
import { defineFamily } from '../../catalogue/family.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { add } from './add.ts';
import { deleteEntry } from './delete.ts';
import { list } from './list.ts';
import { memoryConsolidate } from './memory-consolidate.ts';
import { memoryContext } from './memory-context.ts';
import { memoryForget } from './memory-forget.ts';
import { memoryRead } from './memory-read.ts';
import { memoryReview } from './memory-review.ts';
import { memorySearch } from './memory-search.ts';
import { memoryStats } from './memory-stats.ts';
import { memorySupersede } from './memory-supersede.ts';
import { memoryUpdate } from './memory-update.ts';
import { memoryWrite } from './memory-write.ts';
import { memoryResources } from './resources.ts';
import { retrieve } from './retrieve.ts';

export const memoryFamily = defineFamily<MemoryMeans>('memory', {
  tools: [
    memoryContext,
    memorySearch,
    memoryRead,
    memoryWrite,
    memoryUpdate,
    memorySupersede,
    memoryForget,
    memoryReview,
    memoryConsolidate,
    memoryStats,
    add,
    list,
    retrieve,
    deleteEntry,
  ],
  resources: memoryResources,
});
