/** Files know who brought them, as far as the log still tells, and where they came from when they came into a zone. */
import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../dialect.ts';
import type { Database } from '../schema.ts';

export async function noteBringers(
  db: Kysely<Database>,
  { bigint, text, tableSuffix }: Dialect,
): Promise<void> {
  const statements = [
    `alter table attachment add column brought_by ${text}`,
    `create table zoned_coming (
      workspace_id ${text} not null references workspace (id),
      file_path ${text} not null,
      zone ${text} not null,
      came_from ${text} not null,
      sequence ${bigint} not null,
      primary key (workspace_id, file_path, zone, came_from))${tableSuffix}`,
    // Before, events named no zone but the outermost.
    `insert into zoned_coming select workspace_id, file_path, zone, '', sequence from file_coming`,
    'drop table file_coming',
    'alter table zoned_coming rename to file_coming',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await fillIn(db);
}

const AT_ONCE = 500;

/** The newest event that put a file of that content there says who it was. */
async function fillIn(db: Kysely<Database>): Promise<void> {
  const files = await db.selectFrom('attachment').select(['workspace_id', 'file_path', 'digest']).execute();
  const unknown = new Set(
    files.map((file) => JSON.stringify([file.workspace_id, file.file_path, file.digest])),
  );
  for (const { id } of unknown.size === 0 ? [] : await db.selectFrom('workspace').select('id').execute())
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const events = await db
        .selectFrom('event')
        .select(['sequence', 'principal_id', 'details'])
        .where('workspace_id', '=', id)
        .where('kind', '=', 'files_attached')
        .where('sequence', '<', before)
        .orderBy('sequence', 'desc')
        .limit(AT_ONCE)
        .execute();
      for (const event of events)
        for (const { path, after } of changesIn(event.details))
          if (unknown.delete(JSON.stringify([id, path, after])))
            await db
              .updateTable('attachment')
              .set({ brought_by: event.principal_id })
              .where('workspace_id', '=', id)
              .where('file_path', '=', path)
              .where('digest', '=', after)
              .execute();
      const last = events.at(-1);
      if (!last) break;
      before = last.sequence;
    }
}

/** Absent in events from before this was kept. */
const changesIn = (details: string): readonly { readonly path: string; readonly after: string }[] =>
  JSON.parse(details).changes ?? [];
