/** Changes a memory. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { OUTCOMES } from '../../domain/memory/memory-item.ts';
import { updateItem } from '../../domain/memory/update-item.ts';
import { readPointInTime } from '../../kernel/points-in-time.ts';
import {
  confidenceArgument,
  idempotencyArgument,
  memoryArgument,
  writtenAnswer,
  writtenShape,
} from './memory-shape.ts';

export const memoryUpdate = defineTool({
  name: 'memory_update',
  title: 'Change a memory',
  summary:
    'Changes a memory, has it back from the trash, or notes that it was used. New words for a fact are a new fact that takes over.',
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: { kind: 'memory', contentArgument: 'body', derivation: 'none' },
  example: { id: '0197f0a0-0000-7000-8000-000000000000', outcome: 'success' },
  input: z.object({
    id: memoryArgument,
    if_match: z
      .string()
      .max(80)
      .optional()
      .describe('The version you have read; refused when it is another by now'),
    body: z.string().max(20_000).optional().describe('Its new words'),
    description: z.string().max(200).optional().describe('When to use it'),
    confidence: confidenceArgument,
    valid_to: z.string().max(40).nullable().optional().describe('When it stops to hold; null = not known'),
    pinned: z.boolean().optional().describe('Never evicted and never summed up'),
    restore: z.literal(true).optional().describe('Out of the trash'),
    outcome: z
      .enum(OUTCOMES)
      .optional()
      .describe('It was used, and whether it helped; this alone needs no review'),
    idempotency_key: idempotencyArgument,
  }),
  output: writtenShape,
  async handler(use: MemoryMeans, input, call) {
    const { valid_to, if_match, idempotency_key: _, ...change } = input;
    const written = await updateItem(use, call.ticket, {
      ...change,
      ifMatch: if_match,
      validTo: typeof valid_to === 'string' ? readPointInTime('valid_to', valid_to, call.at, 1) : valid_to,
    });
    return writtenAnswer(written, call.at);
  },
});
