/** Grants in SQL, and the zones that follow from them. */
import { sql } from 'kysely';
import type { PermissionStore, SubjectKind } from '../../domain/workspace/ports/permission-store.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Level, Zone } from '../../kernel/sight.ts';
import { inPieces } from './chunks.ts';
import { carryFiles, leaveZone } from './file-zones.ts';
import { fixedQuery } from './fixed-query.ts';
import { behind, isVeiled, reading, writing } from './scopes.ts';

export const permissionStore: PermissionStore = {
  async rules(scope, workspace) {
    const [row] = await rulesOf(scope, workspace);
    return { version: row?.permission_version ?? 0, readOnly: row?.read_only === 1 };
  },

  async grants(scope, workspace) {
    const rows = await reading(scope)
      .selectFrom('permission_grant')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .orderBy('page_id')
      .orderBy('subject_kind')
      .orderBy('subject')
      .execute();
    return rows.map((row) => ({
      page: row.page_id === '' ? null : (row.page_id as PageId),
      subject: { kind: row.subject_kind as SubjectKind, name: row.subject },
      level: row.level as Level,
      at: row.granted_at,
      by: row.granted_by,
    }));
  },

  async zones(scope, workspace) {
    const { rows } = await sql<{ id: Zone; around: Zone }>`
      select page.id, coalesce(above.zone, '') as around from page left join page above on above.id = page.parent_id
      where page.workspace_id = ${workspace} and page.zone = page.id`.execute(reading(scope));
    return new Map(rows.map(({ id, around }) => [id, around]));
  },

  async keptFrom(scope, ids) {
    if (!isVeiled(scope)) return [];
    const known = await inPieces(ids, (piece) =>
      behind(scope).selectFrom('page').select('id').where('id', 'in', piece).execute(),
    );
    const shown = await inPieces(ids, (piece) =>
      reading(scope).selectFrom('page').select('id').where('id', 'in', piece).execute(),
    );
    const seen = new Set(shown.map(({ id }) => id));
    return known.map(({ id }) => id).filter((id) => !seen.has(id));
  },

  async put(tx, workspace, { page, subject, level, at, by }) {
    await writing(tx)
      .insertInto('permission_grant')
      .values({
        workspace_id: workspace,
        page_id: page ?? '',
        subject_kind: subject.kind,
        subject: subject.name,
        level,
        granted_at: at,
        granted_by: by,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'page_id', 'subject_kind', 'subject'])
          .doUpdateSet({ level, granted_at: at, granted_by: by }),
      )
      .execute();
    if (page !== null) await settleZones(tx, page);
    await countChange(tx, workspace);
  },

  async remove(tx, workspace, page, subject) {
    const { numDeletedRows } = await writing(tx)
      .deleteFrom('permission_grant')
      .where('workspace_id', '=', workspace)
      .where('page_id', '=', page ?? '')
      .where('subject_kind', '=', subject.kind)
      .where('subject', '=', subject.name)
      .executeTakeFirst();
    if (Number(numDeletedRows) === 0) return false;
    if (page !== null) await settleZones(tx, page);
    await countChange(tx, workspace);
    return true;
  },

  async setReadOnly(tx, workspace, readOnly) {
    await writing(tx)
      .updateTable('workspace')
      .set({ read_only: readOnly ? 1 : 0 })
      .where('id', '=', workspace)
      .execute();
  },
};

const rulesOf = fixedQuery((db, workspace: WorkspaceId) =>
  db.selectFrom('workspace').select(['permission_version', 'read_only']).where('id', '=', workspace),
);

async function countChange(tx: WriteTx, workspace: WorkspaceId): Promise<void> {
  await writing(tx)
    .updateTable('workspace')
    .set((row) => ({ permission_version: row('permission_version', '+', 1) }))
    .where('id', '=', workspace)
    .execute();
}

/** After a page got another parent: it and everything below it may lie in other zones, and zones in other ones. */
export async function settleMoved(tx: WriteTx, page: PageId): Promise<void> {
  const owner = await writing(tx)
    .selectFrom('page')
    .innerJoin('workspace', 'workspace.id', 'page.workspace_id')
    .select(['workspace.id', 'workspace.permission_version'])
    .where('page.id', '=', page)
    .executeTakeFirst();
  if (!owner || owner.permission_version === 0) return;
  await settleZones(tx, page);
  await countChange(tx, owner.id as WorkspaceId);
}

/** Deeper trees than the domain allows cannot arise; this only bounds a damaged one. */
const MAX_STEPS = 200;

/** Brings the page and everything below it, also in the trash, into the zones where they lie now. */
async function settleZones(tx: WriteTx, root: PageId): Promise<void> {
  const below = sql`with recursive down (id, zone, steps) as (
      select page.id, case when exists (select 1 from permission_grant own where own.page_id = page.id)
        then page.id else above.zone end, 0
      from page left join page above on above.id = page.parent_id where page.id = ${root}
      union all
      select page.id, case when exists (select 1 from permission_grant own where own.page_id = page.id)
        then page.id else down.zone end, down.steps + 1
      from page join down on page.parent_id = down.id where down.steps < ${sql.lit(MAX_STEPS)})`;
  // Two zones that become one may both know a file of the same path: neither is sure to be it.
  await sql`${below} update page set file_path = null, file_digest = null, file_version = null, file_text = null
    from down where down.id = page.id and page.file_path is not null
      and coalesce(down.zone, '') <> coalesce(page.zone, '')
      and exists (select 1 from page other where other.workspace_id = page.workspace_id
        and other.file_path = page.file_path and other.id <> page.id and other.trash_batch is null
        and coalesce(other.zone, '') = coalesce(down.zone, ''))`.execute(writing(tx));
  await carryFiles(tx, below);
  await sql`${below} update page set zone = down.zone from down where down.id = page.id`.execute(writing(tx));
  await leaveZone(tx, root);
}
