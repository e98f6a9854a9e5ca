/** Grants on parts of the tree, the zones they make, and the switch that makes a workspace read-only. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addPermissions(
  db: Kysely<Database>,
  { bigint, text, tableSuffix, permissionTables }: Dialect,
): Promise<void> {
  const statements = [
    `create table permission_grant (
      workspace_id ${text} not null references workspace (id),
      page_id ${text} not null,
      subject_kind ${text} not null,
      subject ${text} not null,
      level ${text} not null,
      granted_at ${bigint} not null,
      granted_by ${text} not null,
      primary key (workspace_id, page_id, subject_kind, subject))${tableSuffix}`,
    `alter table workspace add column permission_version ${bigint} not null default 0`,
    `alter table workspace add column read_only ${bigint} not null default 0`,
    `alter table page add column zone ${text}`,
    // What is absent for somebody must not take a name away from what that somebody makes.
    'drop index page_sibling',
    `create unique index page_sibling on page (workspace_id, coalesce(parent_id, ''), slug_key, coalesce(zone, ''))
      where trash_batch is null`,
    'drop index page_file',
    `create unique index page_file on page (workspace_id, file_path, coalesce(zone, ''))
      where trash_batch is null and file_path is not null`,
    'create index page_zone on page (zone) where zone is not null',
    ...permissionTables,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
