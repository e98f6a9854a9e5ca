/** By which rules the words of pages were indexed, in SQL. */
import { sql } from 'kysely';
import type { SearchIndex } from '../../domain/workspace/ports/search-index.ts';
import { ANALYSIS } from '../../domain/workspace/search/analyze.ts';
import type { PageId } from '../../kernel/ids.ts';
import { reading, writing } from './scopes.ts';

/** Of no rules at all. */
const NONE = sql.lit(0);
const TODAYS = sql.lit(ANALYSIS);

export const wordAnalysis: Pick<SearchIndex, 'outdated' | 'outdate' | 'counts'> = {
  async outdated(scope, workspace, limit) {
    const { rows } = await sql<{ id: PageId }>`select page.id from page_length
      join page on page.number = page_length.page_number
      where (page_length.analysis < ${TODAYS} or page_length.analysis > ${TODAYS})
        and page.workspace_id = ${workspace} and page.trash_batch is null limit ${limit}`.execute(
      reading(scope),
    );
    return rows.map(({ id }) => id);
  },

  async outdate(tx, workspace) {
    await sql`update page_length set analysis = ${NONE}
      where page_number in (select number from page where workspace_id = ${workspace})`.execute(writing(tx));
  },

  async counts(scope, workspace) {
    const { rows } = await sql<{ pages: number; indexed: number }>`select count(*) as pages,
      sum(case when page_length.analysis = ${TODAYS} then 1 else 0 end) as indexed
      from page left join page_length on page_length.page_number = page.number
      where page.workspace_id = ${workspace} and page.trash_batch is null`.execute(reading(scope));
    return { pages: Number(rows[0]?.pages ?? 0), indexed: Number(rows[0]?.indexed ?? 0) };
  },
};
