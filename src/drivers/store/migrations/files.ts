/** Pages that came from files, what a page's own text says about it, and attachments. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function addFiles(db: Kysely<Database>, { bigint, text, tableSuffix }: Dialect): Promise<void> {
  const statements = [
    ...['file_path', 'file_digest', 'file_version', 'file_text', 'dialect'].map(
      (column) => `alter table page add column ${column} ${text}`,
    ),
    ...['page_alias', 'page_tag', 'page_property'].map(
      (table) => `alter table ${table} add column derived ${bigint} not null default 0`,
    ),
    `create table attachment (
      workspace_id ${text} not null references workspace (id),
      file_path ${text} not null,
      name_key ${text} not null,
      digest ${text} not null,
      size ${bigint} not null,
      media_type ${text} not null,
      parts ${text} not null,
      primary key (workspace_id, file_path))${tableSuffix}`,
    'create unique index page_file on page (workspace_id, file_path) where trash_batch is null and file_path is not null',
    'create index attachment_name on attachment (workspace_id, name_key)',
    'create index page_link_status on page_link (workspace_id, status, source_id, ordinal)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
