/** Items as rows: columns for what they are looked up by, one JSON text for the rest. */
import type { ItemKind, MemoryItem, MemoryScope, Tier } from '../../../domain/memory/memory-item.ts';
import { sizeOf } from '../../../domain/memory/memory-item.ts';
import type { MemoryId, PrincipalId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Lifecycle } from '../../../kernel/submission.ts';
import { inPieces } from '../chunks.ts';
import type { Database } from '../schema.ts';
import { reading } from '../scopes.ts';

type Row = Database['memory_item'];

type Facts = Pick<
  MemoryItem,
  | 'ownerName'
  | 'ownerKind'
  | 'subject'
  | 'predicate'
  | 'name'
  | 'description'
  | 'origin'
  | 'confidence'
  | 'landedAt'
  | 'replaced'
  | 'lastUsedAt'
  | 'useCount'
  | 'successes'
  | 'failed'
  | 'failures'
  | 'look'
  | 'outcome'
  | 'base'
  | 'unsupported'
  | 'events'
>;

const factsOf = (item: MemoryItem): Facts => ({
  ownerName: item.ownerName,
  ownerKind: item.ownerKind,
  subject: item.subject,
  predicate: item.predicate,
  name: item.name,
  description: item.description,
  origin: item.origin,
  confidence: item.confidence,
  landedAt: item.landedAt,
  replaced: item.replaced,
  lastUsedAt: item.lastUsedAt,
  useCount: item.useCount,
  successes: item.successes,
  failed: item.failed,
  failures: item.failures,
  look: item.look,
  outcome: item.outcome,
  base: item.base,
  unsupported: item.unsupported,
  events: item.events,
});

/** All but what never changes and what is counted from the tokens. */
export const changingColumns = (item: MemoryItem) => ({
  kind: item.kind,
  scope: item.scope,
  scope_key: item.scopeKey,
  owner_id: item.owner,
  run_id: item.run,
  item_key: item.key,
  body: item.body,
  facts: JSON.stringify(factsOf(item)),
  lifecycle: item.lifecycle,
  updated_at: item.updatedAt,
  observed_at: item.observedAt,
  valid_from: item.validFrom,
  valid_to: item.validTo,
  ended_at: item.endedAt,
  superseded_by: item.supersededBy,
  pinned: item.pinned ? 1 : 0,
  version: item.version,
  trashed_at: item.trashedAt,
  bytes: sizeOf(item),
});

/** With the sources of each. */
export async function toItems(scope: ReadScope, rows: readonly Row[]): Promise<readonly MemoryItem[]> {
  const sources = await inPieces(rows, (piece) =>
    reading(scope)
      .selectFrom('memory_source')
      .selectAll()
      .where(
        'item_id',
        'in',
        piece.map(({ id }) => id),
      )
      .orderBy('item_id')
      .orderBy('ordinal')
      .execute(),
  );
  const ofItem = Map.groupBy(sources, (source) => source.item_id);
  return rows.map((row) =>
    toItem(
      row,
      (ofItem.get(row.id) ?? []).map((source) => ({
        kind: source.kind as EntityVersion['kind'],
        id: source.source_id,
        version: source.source_version,
      })),
    ),
  );
}

/** What was not kept of items from the beginning. */
const SINCE: Pick<Facts, 'successes' | 'failed' | 'outcome' | 'look'> = {
  successes: 0,
  failed: 0,
  outcome: null,
  look: null,
};

/** What tells whether an item is stale; without its words, because all items are looked at. */
export function agingOf({ tier, facts, created_at }: Pick<Row, 'tier' | 'facts' | 'created_at'>) {
  const { failures, lastUsedAt } = JSON.parse(facts) as Facts;
  return { tier: tier as Tier, failures, lastUsedAt, createdAt: created_at };
}

function toItem(row: Row, sources: readonly EntityVersion[]): MemoryItem {
  return {
    ...SINCE,
    ...(JSON.parse(row.facts) as Facts),
    id: row.id as MemoryId,
    workspace: row.workspace_id as WorkspaceId,
    tier: row.tier as Tier,
    kind: row.kind as ItemKind,
    scope: row.scope as MemoryScope,
    scopeKey: row.scope_key,
    owner: row.owner_id as PrincipalId,
    run: row.run_id,
    key: row.item_key,
    body: row.body,
    sources,
    lifecycle: row.lifecycle as Lifecycle,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    observedAt: row.observed_at,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    endedAt: row.ended_at,
    supersededBy: row.superseded_by as MemoryId | null,
    pinned: row.pinned === 1,
    version: row.version,
    trashedAt: row.trashed_at,
  };
}
