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

interface Came {
  readonly workspace_id: string;
  readonly file_path: string;
  readonly came_from: string;
  readonly zone: string;
}
type Place = Omit<Came, 'came_from'>;
const cameFrom = (zone: string, files: readonly Place[]): readonly Came[] =>
  files.map((file) => ({ ...file, came_from: zone }));
const PLACE = sql`returning workspace_id, file_path, zone`;

/** Events from before name the file in the zone it came from, or in one that it had come from to there. */
async function noteComing(tx: WriteTx, files: readonly Came[]): Promise<void> {
  await inPieces(
    files.filter(({ zone }) => zone !== ''),
    async (piece) => {
      const came = sql`${valuesOf(piece.map((file) => [file.workspace_id, file.file_path, file.zone, file.came_from]))} came`;
      const kept = sql`on conflict (workspace_id, file_path, zone, came_from) do update set sequence =
        case when excluded.sequence > file_coming.sequence then excluded.sequence else file_coming.sequence end`;
      await sql`insert into file_coming (workspace_id, file_path, zone, came_from, sequence)
        select came.column1, came.column2, came.column3, before.came_from, max(before.sequence)
        from ${came} join file_coming before on before.workspace_id = came.column1
          and before.file_path = came.column2 and before.zone = came.column4
        where before.came_from <> came.column3
        group by came.column1, came.column2, came.column3, before.came_from ${kept}`.execute(writing(tx));
      await sql`insert into file_coming (workspace_id, file_path, zone, came_from, sequence)
        select came.column1, came.column2, came.column3, came.column4, workspace.sequence
        from ${came} join workspace on workspace.id = came.column1 where true ${kept}`.execute(writing(tx));
      return [];
    },
  );
}

/** A page that comes into another zone, in the trash or not. */
interface Mover {
  readonly id: string;
  readonly workspace_id: string;
  readonly was: string;
  readonly comes: string;
}

/**
 * Before the pages of `down (id, zone)` get the zones that it says. A file that others show as well stays with them,
 * too; where another file lies at its path already it only stays.
 */
export async function carryFiles(tx: WriteTx, down: RawBuilder<unknown>): Promise<void> {
  const { rows: movers } = await sql<Mover>`${down} select page.id, page.workspace_id,
      coalesce(page.zone, '') as was, coalesce(down.zone, '') as comes
    from down join page on page.id = down.id
    where coalesce(down.zone, '') <> coalesce(page.zone, '')`.execute(writing(tx));
  const [first] = movers;
  if (!first) return;
  const moving = new Map(movers.map((mover) => [mover.id, mover]));
  const keys = await keysShown(tx, [...moving.keys()]);
  const { files, showing } = await filesAndShowing(tx, first.workspace_id, keys);
  const at = new Map(files.map((file) => [placeOf(file), file]));
  const come: Database['attachment'][] = [];
  const go: Database['attachment'][] = [];
  const came: Came[] = [];
  for (const file of files) {
    const own = (showing.get(file.name_key) ?? []).filter(({ zone }) => zone === file.zone);
    const targets = new Set(own.flatMap(({ id }) => moving.get(id)?.comes ?? []));
    if (targets.size === 0) continue;
    const copies = [...targets].map((zone) => ({ ...file, zone }));
    come.push(...copies.filter((copy) => !at.has(placeOf(copy))));
    const isThere = copies.every((copy) => (at.get(placeOf(copy)) ?? copy).digest === file.digest);
    if (!isThere || !own.every(({ id, trashed }) => moving.has(id) || trashed)) continue;
    go.push(file);
    came.push(...copies.map((copy) => ({ ...copy, came_from: file.zone })));
  }
  await inPieces(come, async (piece) => {
    await writing(tx)
      .insertInto('attachment')
      .values([...piece])
      .execute();
    return [];
  });
  await noteComing(tx, came);
  for (const [zone, gone] of Map.groupBy(go, (file) => file.zone))
    await inPieces(gone, async (piece) => {
      const paths = piece.map((file) => file.file_path);
      await writing(tx)
        .deleteFrom('attachment')
        .where('workspace_id', '=', first.workspace_id)
        .where('zone', '=', zone)
        .where('file_path', 'in', paths)
        .execute();
      return [];
    });
}

const placeOf = ({ file_path, zone }: Pick<Came, 'file_path' | 'zone'>): string =>
  JSON.stringify([file_path, zone]);

async function keysShown(tx: WriteTx, pages: readonly string[]): Promise<readonly string[]> {
  const rows = await inPieces(pages, (piece) =>
    writing(tx)
      .selectFrom('page_link')
      .select('target_key')
      .where('source_id', 'in', piece)
      .where('status', '=', 'file')
      .execute(),
  );
  return [...new Set(rows.map((row) => row.target_key))];
}

interface Showing {
  readonly id: string;
  readonly zone: string;
  readonly trashed: boolean;
}

async function filesAndShowing(tx: WriteTx, workspace: string, keys: readonly string[]) {
  const files = await inPieces(keys, (piece) =>
    writing(tx)
      .selectFrom('attachment')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('name_key', 'in', piece)
      .execute(),
  );
  const rows = await inPieces(keys, (piece) =>
    writing(tx)
      .selectFrom('page_link')
      .innerJoin('page', 'page.id', 'page_link.source_id')
      .select(['page.id', 'page.zone', 'page.trash_batch', 'page_link.target_key'])
      .where('page_link.workspace_id', '=', workspace)
      .where('page_link.target_key', 'in', piece)
      .where('page_link.status', '=', 'file')
      .execute(),
  );
  const showing = new Map<string, Showing[]>();
  for (const { id, zone, trash_batch, target_key } of rows) {
    const some = showing.get(target_key) ?? [];
    some.push({ id, zone: zone ?? '', trashed: trash_batch !== null });
    showing.set(target_key, some);
  }
  return { files, showing };
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
    const { rows } = await sql<Place>`update attachment as file set zone = ${to}
      where file.workspace_id = ${workspace} and file.zone = ${from}
        and file.file_path >= ${folder} and substr(file.file_path, 1, length(${folder})) = ${folder}
        and not exists (select 1 from ${SHOWING}) and not ${isTakenIn(sql`${to}`)} ${PLACE}`.execute(
      writing(tx),
    );
    await noteComing(tx, cameFrom(from, rows));
  },

  async adopt(tx, pages, broughtBy) {
    const zoned = await inPieces(pages, (piece) =>
      writing(tx)
        .selectFrom('page')
        .select(['id', 'workspace_id', 'zone'])
        .where('id', 'in', piece)
        .where('zone', 'is not', null)
        .execute(),
    );
    for (const page of zoned) {
      const { rows } = await sql<Place>`update attachment as file set zone = ${page.zone}
        where file.zone = '' and file.brought_by = ${broughtBy} and file.workspace_id = ${page.workspace_id}
          and file.name_key in (select target_key from page_link where source_id = ${page.id} and status = 'file')
          and not exists (select 1 from ${SHOWING}) and not ${isTakenIn(sql`${page.zone}`)} ${PLACE}`.execute(
        writing(tx),
      );
      await noteComing(tx, cameFrom('', rows));
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
