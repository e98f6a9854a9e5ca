/** Remembers something. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { OUTCOMES } from '../../domain/memory/memory-item.ts';
import { writeItem } from '../../domain/memory/write-item.ts';
import {
  confidenceArgument,
  idempotencyArgument,
  scopeArgument,
  tierArgument,
  timeArgument,
  timeOf,
  writtenAnswer,
  writtenShape,
} from './memory-shape.ts';

export const memoryWrite = defineTool({
  name: 'memory_write',
  title: 'Remember',
  summary:
    'Remembers something. What an agent states as a fact or as a way of doing things waits until a person accepts it.',
  scopes: ['memory.write'],
  effect: 'local_side_effect',
  sandboxEligible: true,
  write: {
    kind: 'memory',
    contentArgument: 'body',
    derivation: 'argument',
    derivationArgument: 'sources',
  },
  example: {
    tier: 'semantic',
    subject: 'release train',
    predicate: 'leaves on',
    body: 'Every second Tuesday.',
  },
  input: z.object({
    tier: tierArgument,
    body: z.string().max(20_000).describe('Markdown, short: one thing'),
    subject: z.string().max(200).optional().describe('For a fact: what it is about'),
    predicate: z
      .string()
      .max(200)
      .optional()
      .describe('For a fact: what of it. A new value for the same subject and predicate takes over'),
    name: z
      .string()
      .max(200)
      .optional()
      .describe(
        'What it is called: a way of doing things, a task that was done, or a place on the scratch paper',
      ),
    description: z.string().max(200).optional().describe('For a way of doing things: when to use it'),
    scope: scopeArgument,
    sources: z
      .array(z.string().min(1).max(2_000))
      .max(100)
      .optional()
      .describe('What it was made from: pages, or memory:<id>'),
    confidence: confidenceArgument,
    valid_from: timeArgument,
    valid_to: timeArgument,
    observed_at: timeArgument,
    outcome: z
      .enum(OUTCOMES)
      .optional()
      .describe('For an episode: how it went. Only what succeeded becomes a way of doing things'),
    pinned: z.boolean().optional().describe('Never evicted and never summed up'),
    base_version: z
      .string()
      .max(80)
      .optional()
      .describe(
        'The version of what you have read that holds now, or "none"; refused when another one holds',
      ),
    idempotency_key: idempotencyArgument,
  }),
  output: writtenShape,
  async handler(use: MemoryMeans, input, call) {
    const { valid_from, valid_to, observed_at, base_version, ...wanted } = input;
    const written = await writeItem(use, call.ticket, {
      ...wanted,
      validFrom: timeOf('valid_from', valid_from, call.at),
      validTo: timeOf('valid_to', valid_to, call.at),
      observedAt: timeOf('observed_at', observed_at, call.at),
      baseVersion: base_version,
    });
    return writtenAnswer(written, call.at);
  },
});
