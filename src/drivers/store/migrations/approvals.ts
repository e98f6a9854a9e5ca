/** Calls and answers that wait for a person's yes. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addApprovals(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `create table approval (
      id ${text} primary key,
      kind ${text} not null,
      state ${text} not null,
      call_id ${text} not null,
      principal_kind ${text} not null,
      principal_id ${text} not null,
      principal_name ${text} not null,
      run_id ${text} not null,
      tool ${text} not null,
      server ${text} not null,
      effect ${text} not null,
      input_digest ${text} not null,
      binding ${text} not null,
      policy ${text} not null,
      summary ${text} not null,
      created_at ${bigint} not null,
      expires_at ${bigint} not null,
      decision ${text},
      decided_at ${bigint},
      decided_by ${text},
      decided_call ${text},
      reason ${text},
      used_at ${bigint},
      used_call ${text},
      blob ${text})${tableSuffix}`,
    'create index approval_key on approval (principal_id, tool, input_digest)',
    'create index approval_state on approval (state, expires_at)',
    'create index approval_call on approval (call_id)',
    'create index approval_decided on approval (decided_call) where decided_call is not null',
    'create index approval_used on approval (used_call) where used_call is not null',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
