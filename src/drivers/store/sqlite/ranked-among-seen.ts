/**
 * Full text for who may not see everything. FTS5 ranks by counts over the whole index, and with those a score would
 * tell what words hidden pages hold; here only what is seen is counted, by the same formula.
 */
import { sql } from 'kysely';
import {
  FIELD_WEIGHTS,
  type SearchFilter,
  type SearchHit,
  type SearchTerm,
} from '../../../domain/workspace/ports/search-index.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { reading } from '../scopes.ts';
import { bestOf, type HitRow, SCORE_DIGITS, searchConditions, toHit } from '../search-conditions.ts';

const weight = (field: keyof typeof FIELD_WEIGHTS) => sql.lit(FIELD_WEIGHTS[field]);

export async function searchAmongSeen(
  scope: ReadScope,
  workspace: WorkspaceId,
  terms: readonly SearchTerm[],
  filter: SearchFilter,
  limit: number,
  behind: SearchHit | undefined,
): Promise<readonly SearchHit[]> {
  const found = sql<HitRow>`
    with said (term, weight) as (
        select value ->> 0, max(value ->> 1) from json_each(${JSON.stringify(terms.map(({ token, weight }) => [token, weight]))})
        group by value ->> 0),
      total (n, tokens) as (
        select max(count(*), 1) * 1.0, max(coalesce(sum(length), 0), 1) * 1.0 from page_length),
      found (term, doc, f) as (
        select said.term, word.doc, sum(case word.col when 'title' then ${weight('title')}
          when 'headings' then ${weight('headings')} else ${weight('body')} end) * 1.0
        from said join page_vocabulary word on word.term = said.term join page on page.number = word.doc
        group by said.term, word.doc),
      spread (term, df) as (select term, count(*) * 1.0 from found group by term),
      ranked (doc, score) as (
        select found.doc, sum(said.weight * max(ln((total.n - spread.df + 0.5) / (spread.df + 0.5)), 0.000001)
          * found.f * 2.2 / (found.f + 1.2 * (0.25 + 0.75 * page_length.length * total.n / total.tokens)))
        from found join said using (term) join spread using (term)
          join page_length on page_length.page_number = found.doc cross join total
        group by found.doc)
    select page.id, page.updated_at, round(ranked.score, ${sql.lit(SCORE_DIGITS)}) as score
    from ranked join page on page.number = ranked.doc where ${searchConditions(workspace, filter)}`;
  const { rows } = await bestOf(found, limit, behind).execute(reading(scope));
  return rows.map(toHit);
}
