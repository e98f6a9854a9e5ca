/** Files go with the pages that show them when those come into other zones, in SQL. */
import { type RawBuilder, sql } from 'kysely';
import type { FileStore } from '../../domain/workspace/ports/file-store.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import { inPieces, valuesOf } from './chunks.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

/** Live pages that show `file`: of its own zone. Others can say its name without seeing it. */
const SHOWING = sql`page_link said join page on page.id = said.source_id and page.trash_batch is null
  where said.workspace_id = file.workspace_id and said.target_key = file.name_key and said.status = 'file'
    and coalesce(page.zone, '') = file.zone`;

type Came = Pick<Database['attachment'], 'workspace_id' | 'file_path' | 'zone'>;
const CAME = sql`returning workspace_id, file_path, zone`;

/** Events from before name the file without naming the zone. */
async function noteComing(tx: WriteTx, files: readonly Came[]): Promise<void> {
  await inPieces(
    files.filter(({ zone }) => zone !== ''),
    async (piece) => {
      await sql`insert into file_coming (workspace_id, file_path, zone, sequence)
        select came.column1, came.column2, came.column3, workspace.sequence
        from ${valuesOf(piece.map((file) => [file.workspace_id, file.file_path, file.zone]))} came
        join workspace on workspace.id = came.column1
        where true on conflict (workspace_id, file_path, zone) do update set sequence = excluded.sequence`.execute(
        writing(tx),
      );
      return [];
    },
  );
}

/** Pages that come into another zone, in the trash or not, and what they show where they are. */
const MOVING = sql`down join page on page.id = down.id and coalesce(down.zone, '') <> coalesce(page.zone, '')
  join page_link said on said.source_id = page.id and said.status = 'file'`;
const MOVING_WITH_IT = sql`${MOVING} where said.workspace_id = file.workspace_id and said.target_key = file.name_key
  and coalesce(page.zone, '') = file.zone`;

/**
 * Before the pages of `down (id, zone)` get the zones that it says. A file that others show as well stays with them,
 * too; where another file lies at its path already it only stays.
 */
export async function carryFiles(tx: WriteTx, down: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Came>`${down} insert into attachment
      (workspace_id, file_path, zone, name_key, digest, size, media_type, parts)
    select distinct file.workspace_id, file.file_path, coalesce(down.zone, ''), file.name_key, file.digest, file.size,
      file.media_type, file.parts
    from ${MOVING} join attachment file on file.workspace_id = said.workspace_id
      and file.name_key = said.target_key and file.zone = coalesce(page.zone, '')
    where true on conflict do nothing ${CAME}`.execute(writing(tx));
  await noteComing(tx, rows);
  await sql`${down} delete from attachment as file
    where file.name_key in (select said.target_key from ${MOVING})
      and exists (select 1 from ${MOVING_WITH_IT})
      and not exists (select 1 from ${MOVING_WITH_IT} and not ${isAlsoIn(sql`coalesce(down.zone, '')`)})
      and not exists (select 1 from ${SHOWING} and page.id not in (select page.id from ${MOVING}))`.execute(
    writing(tx),
  );
}

const isAlsoIn = (zone: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (select 1 from attachment same
  where same.workspace_id = file.workspace_id and same.file_path = file.file_path and same.digest = file.digest
    and same.zone = ${zone})`;

const isTakenIn = (
  zone: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`exists (select 1 from attachment other
  where other.workspace_id = file.workspace_id and other.file_path = file.file_path and other.zone = ${zone})`;

/** A page without grants is no zone any more: what lies there lies where the page does. */
export async function leaveZone(tx: WriteTx, page: PageId): Promise<void> {
  const around = sql`(select coalesce(page.zone, '') from page where page.id = ${page})`;
  const gone = sql`file.zone = ${page} and ${around} <> ${page}`;
  await sql`delete from attachment as file where ${gone} and ${isAlsoIn(around)}`.execute(writing(tx));
  await sql`update attachment as file set zone = ${around} where ${gone} and not ${isTakenIn(around)}`.execute(
    writing(tx),
  );
}

export const zonedFiles: Pick<FileStore, 'bringUnshown' | 'adopt' | 'sharedPaths'> = {
  async bringUnshown(tx, workspace, folder, from, to) {
    const { rows } = await sql<Came>`update attachment as file set zone = ${to}
      where file.workspace_id = ${workspace} and file.zone = ${from}
        and file.file_path >= ${folder} and substr(file.file_path, 1, length(${folder})) = ${folder}
        and not exists (select 1 from ${SHOWING}) and not ${isTakenIn(sql`${to}`)} ${CAME}`.execute(
      writing(tx),
    );
    await noteComing(tx, rows);
  },

  async adopt(tx, pages) {
    const zoned = await inPieces(pages, (piece) =>
      writing(tx)
        .selectFrom('page')
        .select(['id', 'workspace_id', 'zone'])
        .where('id', 'in', piece)
        .where('zone', 'is not', null)
        .execute(),
    );
    for (const page of zoned) {
      const { rows } = await sql<Came>`update attachment as file set zone = ${page.zone}
        where file.zone = '' and file.workspace_id = ${page.workspace_id}
          and file.name_key in (select target_key from page_link where source_id = ${page.id} and status = 'file')
          and not exists (select 1 from ${SHOWING}) and not ${isTakenIn(sql`${page.zone}`)} ${CAME}`.execute(
        writing(tx),
      );
      await noteComing(tx, rows);
    }
  },

  async sharedPaths(scope, workspace, one, other) {
    const { rows } = await sql<{ file_path: string }>`select file.file_path from attachment file
      join attachment twin on twin.workspace_id = file.workspace_id and twin.file_path = file.file_path
        and twin.zone = ${other} and twin.digest <> file.digest
      where file.workspace_id = ${workspace} and file.zone = ${one} order by file.file_path`.execute(
      reading(scope),
    );
    return rows.map((row) => row.file_path);
  },
};
