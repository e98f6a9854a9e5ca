/** Full text over items by a table of postings that both databases have, ranked by BM25. */
import { sql } from 'kysely';
import type { ItemHit, MemoryStore } from '../../../domain/memory/ports/memory-store.ts';
import type { MemoryId } from '../../../kernel/ids.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import { inPieces } from '../chunks.ts';
import { reading, writing } from '../scopes.ts';
import { itemConditions } from './item-conditions.ts';

/** Equal on both databases, whatever order they add in. */
const SCORE_DIGITS = 6;

export const searchItems: MemoryStore['search'] = async (scope, workspace, terms, filter, limit) => {
  if (terms.length === 0) return [];
  const db = reading(scope);
  const total = await db
    .selectFrom('memory_item')
    .select([(row) => row.fn.countAll().as('items'), (row) => row.fn.sum('tokens').as('tokens')])
    .where('workspace_id', '=', workspace)
    .executeTakeFirstOrThrow();
  const known = await db
    .selectFrom('memory_term')
    .select(['token', (row) => row.fn.countAll().as('items')])
    .where('workspace_id', '=', workspace)
    .where(
      'token',
      'in',
      terms.map(({ token }) => token),
    )
    .groupBy('token')
    .execute();
  if (known.length === 0) return [];
  const items = Math.max(Number(total.items), 1);
  const average = Math.max(Number(total.tokens ?? 0) / items, 1);
  const frequency = new Map(known.map((row) => [row.token, Number(row.items)]));
  const weighed = terms.flatMap(({ token, weight }) => {
    const found = frequency.get(token);
    return found === undefined ? [] : [{ token, weight: weight * rarity(items, found) }];
  });
  const weightOf = sql.join(
    weighed.map(({ token, weight }) => sql`when ${token} then cast(${weight} as double precision)`),
    sql` `,
  );
  const { rows } = await sql<{ id: string; score: number; observed_at: number }>`
    select item.id, item.observed_at, sum(case term.token ${weightOf} else 0.0 end * term.hits * 2.2
      / (term.hits + 1.2 * (0.25 + 0.75 * item.tokens / cast(${average} as double precision)))) as score
    from memory_term term join memory_item item on item.id = term.item_id
    where term.workspace_id = ${workspace} and term.token in (${sql.join(weighed.map(({ token }) => token))})
      and ${itemConditions(workspace, filter)}
    group by item.id, item.observed_at
    order by score desc, item.observed_at desc, item.id desc limit ${limit}`.execute(db);
  return rows
    .map((row) => ({ ...row, score: Number(Number(row.score).toFixed(SCORE_DIGITS)) }))
    .toSorted((a, b) => b.score - a.score || b.observed_at - a.observed_at || (a.id < b.id ? 1 : -1))
    .map(({ id, score }): ItemHit => ({ id: id as MemoryId, score }));
};

/** What nearly everything says tells little, but never less than nothing. */
const rarity = (items: number, found: number): number => Math.log(1 + (items - found + 0.5) / (found + 0.5));

export async function putTokens(
  tx: WriteTx,
  workspace: string,
  id: MemoryId,
  tokens: readonly string[],
): Promise<void> {
  const db = writing(tx);
  await db.deleteFrom('memory_term').where('item_id', '=', id).execute();
  const hits = new Map<string, number>();
  for (const token of tokens) hits.set(token, (hits.get(token) ?? 0) + 1);
  const rows = [...hits].map(([token, count]) => ({
    workspace_id: workspace,
    token,
    item_id: id,
    hits: count,
  }));
  await inPieces(rows, async (piece) => {
    await db
      .insertInto('memory_term')
      .values([...piece])
      .execute();
    return [];
  });
}
