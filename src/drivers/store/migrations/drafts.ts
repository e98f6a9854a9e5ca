/** A proposal for each page that waits without one: drafts of imports from before they could be accepted. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

export async function putUpDrafts(db: Kysely<Database>): Promise<void> {
  await sql
    .raw(
      `insert into proposal
        (id, workspace_id, page_id, op, arguments, concerns, sources, origin, principal_kind, principal_id,
         principal_name, role, credential_id, run_id, call_id, summary, overlapping, state, created_at)
        select page.id, page.workspace_id, page.id, 'create_page', '{}', '[]', '[]', page.origin,
         case when event.principal_id = 'owner' then 'author' else 'client' end,
         event.principal_id, event.principal_name, '', '', event.run_id, event.call_id,
         'Imported page "' || page.title || '"', 0, 'pending', page.created_at
        from page join event on event.page_id = page.id and event.kind = 'page_created'
        where page.lifecycle <> 'canonical'
          and not exists (select 1 from proposal where proposal.id = page.id)`,
    )
    .execute(db);
}
