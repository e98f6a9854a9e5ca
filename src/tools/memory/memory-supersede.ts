/** Says that one memory holds instead of another. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { supersedeItem } from '../../domain/memory/supersede-item.ts';
import { factsOf, itemFacts, memoryArgument } from './memory-shape.ts';

export const memorySupersede = defineTool({
  name: 'memory_supersede',
  title: 'Supersede a memory',
  summary:
    'Says that one memory holds instead of another, also where their subjects are called differently. The old one is kept.',
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  write: { kind: 'memory', derivation: 'none' },
  example: {
    old: '0197f0a0-0000-7000-8000-000000000000',
    new: '0197f0a0-0000-7000-8000-000000000001',
  },
  input: z.object({ old: memoryArgument, new: memoryArgument }),
  output: z.object({ old: z.object(itemFacts), new: z.object(itemFacts) }),
  async handler(use: MemoryMeans, input, call) {
    const done = await supersedeItem(use, call.ticket, input);
    return { old: factsOf(done.old, call.at), new: factsOf(done.new, call.at) };
  },
});
