/** How memory looks in the arguments and answers of this family. */
import { z } from 'zod';
import type { ReadContext } from '../../catalogue/call-context.ts';
import { isoTime } from '../../domain/memory/item-view.ts';
import {
  endOf,
  isStale,
  MEMORY_SCOPES,
  type MemoryItem,
  OUTCOMES,
  statusOf,
  TIERS,
} from '../../domain/memory/memory-item.ts';
import { versionOf } from '../../domain/memory/write-statement.ts';
import type { Written } from '../../domain/memory/write-working.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { WorkspaceId } from '../../kernel/ids.ts';
import { readPointInTime } from '../../kernel/points-in-time.ts';
import { type EntityVersion, LIFECYCLES, ORIGINS } from '../../kernel/submission.ts';

export const tierArgument = z
  .enum(TIERS)
  .describe(
    'working: what this thread has in mind. episodic: what happened. semantic: what is so. procedural: how to do something.',
  );

export const memoryArgument = z.string().min(1).max(64).describe('The id of a memory');

export const timeArgument = z
  .string()
  .max(40)
  .optional()
  .describe('A date or time such as 2026-03-01 or 2026-03-01T12:00:00Z');

export const timeOf = (field: string, text: string | undefined, now: number): number | undefined =>
  text === undefined ? undefined : readPointInTime(field, text, now, -1);

export const scopeArgument = z
  .enum(MEMORY_SCOPES)
  .optional()
  .describe(
    'Who it is for; what nobody has reviewed stays with whoever noted it, unless this says otherwise',
  );

export const confidenceArgument = z.number().min(0).max(1).optional().describe('How sure it is, from 0 to 1');

export const idempotencyArgument = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Any text; a retry with the same key gets the first answer instead of doing it again');

const STATUSES = ['active', 'candidate', 'upcoming', 'superseded', 'expired', 'trashed'] as const;

/** As search and context show it. */
export const itemView = z.object({
  id: z.string(),
  tier: z.enum(TIERS),
  subject: z.string().optional(),
  predicate: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  body: z.string().optional(),
  origin: z.enum(ORIGINS).optional(),
  status: z.enum(STATUSES).optional(),
  outcome: z.enum(OUTCOMES).optional().describe('How what an episode tells of went'),
  observed_at: z.string().optional(),
  valid_to: z.string().optional(),
  superseded_by: z.string().optional(),
  pinned: z.boolean().optional(),
  stale: z.boolean().optional().describe('Long unused or failed: somebody should look at it'),
  unsupported: z.boolean().optional().describe('Everything it was made from is gone'),
  truncated: z.boolean().optional().describe('Cut to the budget; memory_read has all of it'),
  score: z.number().optional(),
  why: z.array(z.string()).optional(),
});

/** What every answer about a single item carries. */
export const itemFacts = {
  id: z.string(),
  tier: z.enum(TIERS),
  status: z.enum(STATUSES),
  lifecycle: z.enum(LIFECYCLES),
  origin: z.enum(ORIGINS),
  version: z.string(),
};

export const factsOf = (item: MemoryItem, at: number) => ({
  id: item.id,
  tier: item.tier,
  status: statusOf(item, at),
  lifecycle: item.lifecycle,
  origin: item.origin,
  version: versionOf(item),
});

/** For the trail of a run. */
export const asRead = ({ id, version }: Pick<MemoryItem, 'id' | 'version'>): EntityVersion => ({
  kind: 'memory',
  id,
  version: String(version),
});

export const writtenShape = z.object({
  ...itemFacts,
  outcome: z
    .enum(['written', 'overwritten', 'duplicate', 'candidate'])
    .describe('candidate: it waits for a person. duplicate: it was known already'),
  superseded: z.array(z.string()).describe('What it holds instead of; kept, and hidden unless asked for'),
  evicted: z.array(z.string()).describe('What had to go from working memory to make room'),
});

export const writtenAnswer = ({ item, outcome, superseded, evicted }: Written, at: number) => ({
  ...factsOf(item, at),
  outcome,
  superseded: [...superseded],
  evicted: [...evicted],
});

export const wholeItem = {
  ...itemFacts,
  kind: z.string(),
  scope: z.enum(MEMORY_SCOPES),
  owner: z.string(),
  run: z.string(),
  subject: z.string().nullable(),
  predicate: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  body: z.string(),
  sources: z.array(z.object({ kind: z.string(), id: z.string(), version: z.string() })),
  events: z
    .object({ from: z.int(), through: z.int() })
    .nullable()
    .describe('For an episode of a run or a thread: the events of the timeline it tells of'),
  confidence: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  observed_at: z.string(),
  valid_from: z.string(),
  valid_to: z.string().nullable(),
  superseded_by: z.string().nullable(),
  last_used_at: z.string().nullable(),
  use_count: z.int().describe('How often it was told again or used'),
  successes: z.int().describe('How often using it was said to have helped'),
  failed: z.int().describe('How often using it was said to have failed'),
  failures: z.int().describe('How often in a row it has failed by now'),
  outcome: z.enum(OUTCOMES).nullable().describe('How what an episode tells of went'),
  pinned: z.boolean(),
  stale: z.boolean(),
  unsupported: z.boolean(),
};

export function wholeItemOf(item: MemoryItem, at: number) {
  const { subject, predicate, name, description, body, kind, scope, run, confidence, failures, pinned } =
    item;
  const end = endOf(item);
  return {
    ...factsOf(item, at),
    ...{ kind, scope, run, subject, predicate, name, description, body, confidence, failures, pinned },
    owner: item.ownerName,
    sources: item.sources.map(({ kind: of, id, version }) => ({ kind: of, id, version })),
    events: item.events,
    created_at: isoTime(item.createdAt),
    updated_at: isoTime(item.updatedAt),
    observed_at: isoTime(item.observedAt),
    valid_from: isoTime(item.validFrom),
    valid_to: end === null ? null : isoTime(end),
    superseded_by: item.supersededBy,
    last_used_at: item.lastUsedAt === null ? null : isoTime(item.lastUsedAt),
    use_count: item.useCount,
    successes: item.successes,
    failed: item.failed,
    outcome: item.outcome,
    stale: isStale(item, at),
    unsupported: item.unsupported,
  };
}

/** The pipeline lets no call through that needs a workspace and has none. */
export function workspaceOf(call: Pick<ReadContext, 'caller'>): WorkspaceId {
  const { workspace } = call.caller.context;
  if (workspace) return workspace;
  throw new SluiceError('no_workspace', 'No workspace is open for this caller');
}
