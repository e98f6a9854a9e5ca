/** Files come to lie in zones as pages do. Those that only pages of zones show come into one of these. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

const COLUMNS = 'workspace_id, file_path, name_key, digest, size, media_type, parts';

export async function putFilesInZones(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const zones = `(select coalesce(source.zone, '') as id from page_link said join page source on source.id = said.source_id
    where said.workspace_id = file.workspace_id and said.target_key = file.name_key and said.status = 'file') shown`;
  const statements = [
    `create table zoned_attachment (
      workspace_id ${text} not null references workspace (id),
      file_path ${text} not null,
      zone ${text} not null,
      name_key ${text} not null,
      digest ${text} not null,
      size ${bigint} not null,
      media_type ${text} not null,
      parts ${text} not null,
      primary key (workspace_id, file_path, zone))${tableSuffix}`,
    // Shown outside of all zones or by nobody: where it was. The least is that of outside, where there is one.
    `insert into zoned_attachment (${COLUMNS}, zone)
      select ${COLUMNS}, coalesce((select min(shown.id) from ${zones}), '') from attachment file`,
    'drop table attachment',
    'alter table zoned_attachment rename to attachment',
    'create index attachment_name on attachment (workspace_id, name_key)',
    `create table file_coming (
      workspace_id ${text} not null references workspace (id),
      file_path ${text} not null,
      zone ${text} not null,
      sequence ${bigint} not null,
      primary key (workspace_id, file_path, zone))${tableSuffix}`,
    `insert into file_coming select file.workspace_id, file.file_path, file.zone, workspace.sequence
      from attachment file join workspace on workspace.id = file.workspace_id where file.zone <> ''`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
