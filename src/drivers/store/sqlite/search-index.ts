/** Full text by FTS5 over our own tokens: its tokenizer only has to split at spaces. */
import { sql } from 'kysely';
import { FIELD_WEIGHTS, type SearchIndex } from '../../../domain/workspace/ports/search-index.ts';
import { ANALYSIS } from '../../../domain/workspace/search/analyze.ts';
import type { PageId } from '../../../kernel/ids.ts';
import type { WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import { isVeiled, reading, writing } from '../scopes.ts';
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
import { searchAmongSeen } from './ranked-among-seen.ts';

const { title, headings, body } = FIELD_WEIGHTS;
const weights = sql.raw([title, headings, body].map((weight) => weight.toFixed(1)).join(', '));

export const sqliteSearchIndex: SearchIndex = {
  async put(tx, page, tokens) {
    const number = await numberOf(tx, page);
    const db = writing(tx);
    await sql`delete from page_search where rowid = ${number}`.execute(db);
    await sql`insert or replace into page_length (page_number, length, analysis) values
      (${number}, ${tokens.title.length + tokens.headings.length + tokens.body.length}, ${ANALYSIS})`.execute(
      db,
    );
    await sql`insert into page_search (rowid, title, headings, body) values
      (${number}, ${tokens.title.join(' ')}, ${tokens.headings.join(' ')}, ${tokens.body.join(' ')})`.execute(
      db,
    );
  },

  async putAll(tx, pages) {
    for (const [page, tokens] of pages) await this.put(tx, page, tokens);
  },

  async remove(tx, page) {
    const number = await numberOf(tx, page);
    await sql`delete from page_search where rowid = ${number}`.execute(writing(tx));
    await sql`delete from page_length where page_number = ${number}`.execute(writing(tx));
  },

  async search(scope, workspace, terms, filter, limit, behind) {
    if (terms.length === 0) return [];
    if (isVeiled(scope)) return searchAmongSeen(scope, workspace, terms, filter, limit, behind);
    // Quoted, a token is nothing but a token, whatever is in it; said twice, it counts twice.
    const quoted = terms.flatMap(({ token, weight }) =>
      Array<string>(weight).fill(`"${token.replaceAll('"', '""')}"`),
    );
    const match = quoted.join(' OR ');
    // A common word matches most pages: what ranks and filters them lies in an index, without their texts.
    const found = sql<HitRow>`
      select page.id, page.updated_at, round(-bm25(page_search, ${weights}), ${sql.lit(SCORE_DIGITS)}) as score
      from page_search join page indexed by page_hit on page.number = page_search.rowid
      where page_search match ${match} and ${searchConditions(workspace, filter)}`;
    const { rows } = await bestOf(found, limit, behind).execute(reading(scope));
    return rows.map(toHit);
  },

  async browse(scope, workspace, filter, limit, behind) {
    const { rows } = await browseQuery(workspace, filter, limit, behind).execute(reading(scope));
    return rows.map(toHit);
  },

  async tokens(scope, prefix, shortest, longest) {
    // Words that only hidden pages hold are none; the row of a word knows no pages.
    const words = isVeiled(scope)
      ? sql`(select distinct word.term from page_vocabulary word join page on page.number = word.doc
          where word.term >= ${prefix} and word.term < ${endOf(prefix)})`
      : sql`page_search_token`;
    const { rows } = await sql<{ term: string }>`
      select term from ${words} where term >= ${prefix} and term < ${endOf(prefix)}
      and length(term) between ${shortest} and ${longest} limit ${sql.lit(MOST_TOKENS)}`.execute(
      reading(scope),
    );
    return rows.map(({ term }) => term);
  },

  admit: admitPages,
  ...wordAnalysis,
};

async function numberOf(tx: WriteTx, page: PageId): Promise<number> {
  const row = await writing(tx)
    .selectFrom('page')
    .select('number')
    .where('id', '=', page)
    .executeTakeFirstOrThrow();
  return row.number;
}
