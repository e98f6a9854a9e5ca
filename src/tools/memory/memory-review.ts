/** Decides about a memory that waits for a person. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { acceptItem, rejectItem } from '../../domain/memory/review-item.ts';
import { memoryArgument, writtenAnswer, writtenShape } from './memory-shape.ts';

export const memoryReview = defineTool({
  name: 'memory_review',
  title: 'Review a memory',
  summary:
    'Accepts or rejects a fact or a way of doing things that an agent or the upkeep of memory came up with.',
  scopes: ['memory.write', 'review'],
  effect: 'local_side_effect',
  write: { kind: 'memory', contentArgument: 'body', derivation: 'none' },
  example: { id: '0197f0a0-0000-7000-8000-000000000000', decision: 'accept' },
  input: z.object({
    id: memoryArgument,
    decision: z.enum(['accept', 'reject']).describe('Whether it is remembered'),
    body: z.string().max(20_000).optional().describe('Accept it with these words instead'),
    anyway: z
      .boolean()
      .optional()
      .describe('Accept it although something else holds by now than when it was written'),
    reason: z.string().max(1_000).optional().describe('Why it was rejected'),
  }),
  output: writtenShape,
  async handler(use: MemoryMeans, { decision, reason, ...wish }, call) {
    if (decision === 'accept') return writtenAnswer(await acceptItem(use, call.ticket, wish), call.at);
    const item = await rejectItem(use, call.ticket, { id: wish.id, reason });
    return writtenAnswer({ item, outcome: 'overwritten', superseded: [], evicted: [] }, call.at);
  },
});
