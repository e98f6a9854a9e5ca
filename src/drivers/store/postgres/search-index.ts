/** Full text by a table of postings, ranked by the very formula that SQLite's FTS5 uses. */
import { type Kysely, sql } from 'kysely';
import {
  FIELD_WEIGHTS,
  type PageTokens,
  type SearchIndex,
} from '../../../domain/workspace/ports/search-index.ts';
import type { PageId } from '../../../kernel/ids.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Database } from '../schema.ts';
import { reading, writing } from '../scopes.ts';
import { browseQuery, type HitRow, SCORE_DIGITS, searchConditions, toHit } from '../search-conditions.ts';

const weight = (field: keyof PageTokens) => sql.lit(FIELD_WEIGHTS[field]);

export const postgresSearchIndex: SearchIndex = {
  async put(tx, page, tokens) {
    const { number, workspace_id } = await placeOf(tx, page);
    const db = writing(tx);
    const before = await forget(db, number);
    const length = tokens.title.length + tokens.headings.length + tokens.body.length;
    await addTerms(db, number, tokens);
    await sql`insert into page_length values (${number}, ${length})`.execute(db);
    await addToTotal(db, workspace_id, before === undefined ? 1 : 0, length - (before ?? 0));
  },

  async remove(tx, page) {
    const { number, workspace_id } = await placeOf(tx, page);
    const db = writing(tx);
    const before = await forget(db, number);
    if (before !== undefined) await addToTotal(db, workspace_id, -1, -before);
  },

  async search(scope, workspace, terms, filter, limit) {
    if (terms.length === 0) return [];
    const { rows } = await sql<HitRow>`
      with total as (select greatest(sum(pages), 1)::float8 n, greatest(sum(tokens), 1)::float8 tokens from search_total),
        said as (select * from unnest(${terms.map(({ token }) => token)}::text[], ${terms.map(({ weight }) => weight)}::int[])
          as given (term, weight)),
        wanted as (select term, max(weight)::float8 weight, count(*)::float8 df
          from page_term join said using (term) group by term),
        found as (
          select page_term.page_number,
            sum(wanted.weight * greatest(ln((total.n - wanted.df + 0.5) / (wanted.df + 0.5)), 0.000001)
              * frequency.f * 2.2 / (frequency.f + 1.2 * (0.25 + 0.75 * page_length.length * total.n / total.tokens))) score
          from wanted join page_term using (term) join page_length using (page_number) cross join total
          cross join lateral (select (${weight('title')} * page_term.title + ${weight('headings')} * page_term.headings
            + ${weight('body')} * page_term.body)::float8 f) frequency
          group by page_term.page_number)
      select page.id, page.updated_at, round(found.score::numeric, ${sql.lit(SCORE_DIGITS)})::float8 score
      from found join page on page.number = found.page_number
      where ${searchConditions(workspace, filter)}
      order by score desc, page.updated_at desc, page.id limit ${limit}`.execute(reading(scope));
    return rows.map(toHit);
  },

  async browse(scope, workspace, filter, limit) {
    const { rows } = await browseQuery(workspace, filter, limit).execute(reading(scope));
    return rows.map(toHit);
  },
};

async function placeOf(tx: WriteTx, page: PageId): Promise<{ number: number; workspace_id: string }> {
  return writing(tx)
    .selectFrom('page')
    .select(['number', 'workspace_id'])
    .where('id', '=', page)
    .executeTakeFirstOrThrow();
}

/** Answers the length the page had in the index, if it was in it. */
async function forget(db: Kysely<Database>, number: number): Promise<number | undefined> {
  await sql`delete from page_term where page_number = ${number}`.execute(db);
  const gone = await sql<{ length: number }>`
    delete from page_length where page_number = ${number} returning length`.execute(db);
  return gone.rows[0]?.length;
}

async function addTerms(db: Kysely<Database>, number: number, tokens: PageTokens): Promise<void> {
  const counts = new Map<string, { title: number; headings: number; body: number }>();
  for (const field of ['title', 'headings', 'body'] as const) {
    for (const token of tokens[field]) {
      const count = counts.get(token) ?? { title: 0, headings: 0, body: 0 };
      count[field] += 1;
      counts.set(token, count);
    }
  }
  const rows = [...counts];
  await sql`insert into page_term (term, page_number, title, headings, body)
    select term, ${number}::bigint, title, headings, body from unnest(
      ${rows.map(([term]) => term)}::text[], ${rows.map(([, count]) => count.title)}::int[],
      ${rows.map(([, count]) => count.headings)}::int[], ${rows.map(([, count]) => count.body)}::int[]
    ) as given (term, title, headings, body)`.execute(db);
}

async function addToTotal(
  db: Kysely<Database>,
  workspace: string,
  pages: number,
  tokens: number,
): Promise<void> {
  await sql`insert into search_total values (${workspace}, ${pages}, ${tokens})
    on conflict (workspace_id) do update
    set pages = search_total.pages + excluded.pages, tokens = search_total.tokens + excluded.tokens`.execute(
    db,
  );
}
