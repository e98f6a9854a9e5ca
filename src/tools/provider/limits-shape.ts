/** How a provider's limits are given: each within bounds, and what is not given is as for everybody. */
import { z } from 'zod';
import { MAX_TOOLS } from '../../domain/providers/check-surface.ts';
import type { ProviderLimits } from '../../domain/providers/profile.ts';

const whole = (least: number, most: number, about: string) =>
  z.int().min(least).max(most).optional().describe(about);

const textBytes = z.int().min(1_024).max(4_194_304);

export const limitsArgument = z
  .object({
    connect_ms: whole(100, 120_000, 'To be reached and greeted'),
    discovery_ms: whole(100, 300_000, 'To say what it shows'),
    call_ms: whole(
      100,
      600_000,
      'To answer a call or to say that it has come further; ten times that in all',
    ),
    answer_ms: whole(100, 600_000, 'For whoever calls to answer a question of it'),
    repin_after_ms: whole(
      0,
      60_000,
      'How old what it shows may be when it is called; 0 reads before each call',
    ),
    idle_ms: whole(1_000, 86_400_000, 'Without a call, until it is ended'),
    lifetime_ms: whole(1_000, 604_800_000, 'Until it is replaced by a new connection'),
    concurrent: whole(1, 256, 'Calls at once'),
    queued: whole(0, 4_096, 'Calls that wait; more are told when to come again'),
    text_bytes: textBytes
      .optional()
      .describe('Text of one answer that is given whole; more is kept to be read on'),
    text_bytes_of: z
      .record(z.string(), textBytes)
      .refine((tools) => Object.keys(tools).every((name) => name.length <= 128), 'names a tool too long')
      .refine((tools) => Object.keys(tools).length <= MAX_TOOLS, `names more than ${MAX_TOOLS} tools`)
      .optional()
      .describe('The same for single tools, by their names at the provider'),
  })
  .optional()
  .describe('Where the usual limits do not fit');

export function limitsOf(given: z.output<typeof limitsArgument> = {}): Partial<ProviderLimits> {
  const limits = {
    connectMs: given.connect_ms,
    discoveryMs: given.discovery_ms,
    callMs: given.call_ms,
    answerMs: given.answer_ms,
    repinAfterMs: given.repin_after_ms,
    idleMs: given.idle_ms,
    lifetimeMs: given.lifetime_ms,
    concurrent: given.concurrent,
    queued: given.queued,
    textBytes: given.text_bytes,
    textBytesOf: given.text_bytes_of,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
