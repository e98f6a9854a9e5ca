/** Proposals, and one for each page that waits to become canonical already. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addProposals(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `create table proposal (
      id ${text} primary key,
      workspace_id ${text} not null references workspace (id),
      page_id ${text},
      op ${text} not null,
      arguments ${text} not null,
      concerns ${text} not null,
      sources ${text} not null,
      proposed_text ${text},
      origin ${text} not null,
      principal_kind ${text} not null,
      principal_id ${text} not null,
      principal_name ${text} not null,
      role ${text} not null,
      credential_id ${text} not null,
      run_id ${text} not null,
      thread_id ${text},
      call_id ${text} not null,
      summary ${text} not null,
      overlapping ${bigint} not null,
      state ${text} not null,
      created_at ${bigint} not null,
      expires_at ${bigint},
      decided_at ${bigint},
      decided_by ${text},
      decided_by_name ${text},
      note ${text})${tableSuffix}`,
    'create index proposal_state on proposal (workspace_id, state, id)',
    'create index proposal_run on proposal (workspace_id, run_id, id)',
    'create index proposal_page on proposal (page_id, id)',
    `insert into proposal
      (id, workspace_id, page_id, op, arguments, concerns, sources, origin, principal_kind, principal_id,
       principal_name, role, credential_id, run_id, call_id, summary, overlapping, state, created_at)
      select page.id, page.workspace_id, page.id, 'create_page', '{}', '[]', '[]', page.origin, 'client',
       event.principal_id, event.principal_name, '', '', event.run_id, event.call_id,
       'New page "' || page.title || '"', 0, 'pending', page.created_at
      from page join event on event.page_id = page.id and event.kind = 'page_created'
      where page.lifecycle = 'candidate'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
