/** Full text by a table of postings, ranked by the very formula that SQLite's FTS5 uses. */
import { type Kysely, sql } from 'kysely';
import {
  FIELD_WEIGHTS,
  type PageTokens,
  type SearchIndex,
} from '../../../domain/workspace/ports/search-index.ts';
import { ANALYSIS } from '../../../domain/workspace/search/analyze.ts';
import type { PageId } from '../../../kernel/ids.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { Database } from '../schema.ts';
import { reading, writing } from '../scopes.ts';
import {
  admitPages,
  bestOf,
  browseQuery,
  endOf,
  type HitRow,
  MOST_TOKENS,
  SCORE_DIGITS,
  searchConditions,
  toHit,
} from '../search-conditions.ts';
import { wordAnalysis } from '../word-analysis.ts';

const weight = (field: keyof PageTokens) => sql.lit(FIELD_WEIGHTS[field]);

export const postgresSearchIndex: SearchIndex = {
  put: (tx, page, tokens) => putPages(tx, new Map([[page, tokens]])),

  async putAll(tx, pages) {
    const all = [...pages];
    for (let i = 0; i < all.length; i += PAGES_AT_ONCE)
      await putPages(tx, new Map(all.slice(i, i + PAGES_AT_ONCE)));
  },

  async remove(tx, page) {
    const db = writing(tx);
    for (const { number, workspace_id } of await placesOf(tx, [page])) {
      const before = (await forget(db, [number])).get(number);
      if (before !== undefined) await addToTotal(db, workspace_id, -1, -before);
    }
  },

  async search(scope, workspace, terms, filter, limit, behind) {
    if (terms.length === 0) return [];
    const found = sql<HitRow>`
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
      where ${searchConditions(workspace, filter)}`;
    const { rows } = await bestOf(found, limit, behind).execute(reading(scope));
    return rows.map(toHit);
  },

  async browse(scope, workspace, filter, limit, behind) {
    const { rows } = await browseQuery(workspace, filter, limit, behind).execute(reading(scope));
    return rows.map(toHit);
  },

  /** From each token straight to the next one, past all the pages that have it. */
  async tokens(scope, prefix, shortest, longest) {
    const { rows } = await sql<{ term: string }>`
      with recursive known (term, position) as (
        (select term, 1 from page_term where term >= ${prefix} order by term limit 1)
        union all
        select (select next.term from page_term next where next.term > known.term order by next.term limit 1),
          position + 1
        from known where known.term < ${endOf(prefix)} and position < ${sql.lit(MOST_TOKENS * 4)})
      select term from known where term >= ${prefix} and term < ${endOf(prefix)}
      and length(term) between ${shortest} and ${longest} order by term limit ${sql.lit(MOST_TOKENS)}`.execute(
      reading(scope),
    );
    return rows.map(({ term }) => term);
  },

  admit: admitPages,
  ...wordAnalysis,
};

/** Postings are many; more pages than this would make one statement too large. */
const PAGES_AT_ONCE = 50;

async function putPages(tx: WriteTx, pages: ReadonlyMap<PageId, PageTokens>): Promise<void> {
  const db = writing(tx);
  const places = await placesOf(tx, [...pages.keys()]);
  const numbers = places.map(({ number }) => number);
  const before = await forget(db, numbers);
  const tokens = places.map(({ id }) => pages.get(id as PageId) as PageTokens);
  const lengths = tokens.map(({ title, headings, body }) => title.length + headings.length + body.length);
  await addTerms(db, numbers, tokens);
  await sql`insert into page_length (page_number, length, analysis)
    select given.number, given.length, ${sql.lit(ANALYSIS)}
    from unnest(${numbers}::bigint[], ${lengths}::int[]) given (number, length)`.execute(db);
  for (const [workspace, own] of Map.groupBy(places.entries(), ([, place]) => place.workspace_id)) {
    const fresh = own.filter(([, { number }]) => !before.has(number)).length;
    const longer = own.map(([i, { number }]) => (lengths[i] ?? 0) - (before.get(number) ?? 0));
    await addToTotal(
      db,
      workspace,
      fresh,
      longer.reduce((sum, one) => sum + one, 0),
    );
  }
}

async function placesOf(tx: WriteTx, pages: readonly PageId[]) {
  return writing(tx)
    .selectFrom('page')
    .select(['id', 'number', 'workspace_id'])
    .where('id', 'in', pages)
    .execute();
}

/** Answers the length that each page had in the index, if it was in it. */
async function forget(db: Kysely<Database>, numbers: readonly number[]): Promise<Map<number, number>> {
  await sql`delete from page_term where page_number = any(${numbers}::bigint[])`.execute(db);
  const gone = await sql<{ page_number: number; length: number }>`
    delete from page_length where page_number = any(${numbers}::bigint[])
    returning page_number, length`.execute(db);
  return new Map(gone.rows.map((row) => [row.page_number, row.length]));
}

async function addTerms(
  db: Kysely<Database>,
  numbers: readonly number[],
  tokens: readonly PageTokens[],
): Promise<void> {
  const rows = tokens.flatMap((own, i) =>
    [...countTerms(own)].map(([term, count]) => ({ term, number: numbers[i], ...count })),
  );
  await sql`insert into page_term (term, page_number, title, headings, body)
    select * from unnest(
      ${rows.map(({ term }) => term)}::text[], ${rows.map(({ number }) => number)}::bigint[],
      ${rows.map(({ title }) => title)}::int[], ${rows.map(({ headings }) => headings)}::int[],
      ${rows.map(({ body }) => body)}::int[])`.execute(db);
}

function countTerms(tokens: PageTokens): ReadonlyMap<string, Record<keyof PageTokens, number>> {
  const counts = new Map<string, { title: number; headings: number; body: number }>();
  for (const field of ['title', 'headings', 'body'] as const) {
    for (const token of tokens[field]) {
      const count = counts.get(token) ?? { title: 0, headings: 0, body: 0 };
      count[field] += 1;
      counts.set(token, count);
    }
  }
  return counts;
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
