/** Where pages came from, and attachments, in SQL. */
import { sql } from 'kysely';
import type { Dialect } from '../../domain/workspace/markdown/dialect.ts';
import type { Attachment, FiledPage, FileStore, PageFile } from '../../domain/workspace/ports/file-store.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import type { Lifecycle } from '../../kernel/submission.ts';
import { inPieces, ofWorkspace } from './chunks.ts';
import { zonedFiles } from './file-zones.ts';
import type { Database } from './schema.ts';
import { liftedIn, reading, writing } from './scopes.ts';

export const fileStore: FileStore = {
  async atPaths(scope, workspace, paths) {
    const rows = await inPieces(paths, (piece) =>
      reading(scope)
        .selectFrom('page')
        .select(['id', 'file_path', 'file_digest', 'file_version', 'file_text', 'dialect'])
        .where('workspace_id', '=', workspace)
        .where('trash_batch', 'is', null)
        .where('file_path', 'in', piece)
        .execute(),
    );
    return rows.map((row) => ({
      page: row.id as PageId,
      path: row.file_path ?? '',
      ...readDigest(row.file_digest ?? ''),
      version: row.file_version,
      text: row.file_text,
      dialect: row.dialect as Dialect | null,
    }));
  },

  async bind(tx, { page, path, digest, seenBy, version, text, dialect }) {
    const seen = seenBy === 'sync' ? BY_SYNC + digest : digest;
    await writing(tx)
      .updateTable('page')
      .set({ file_path: path, file_digest: seen, file_version: version, file_text: text, dialect })
      .where('id', '=', page)
      .execute();
  },

  async clearPaths(tx, root) {
    await sql`update page set file_path = null, file_digest = null, file_version = null, file_text = null where id in (
      with recursive down (id) as (
        select id from page where id = ${root}
        union select child.id from page child join down on child.parent_id = down.id
      ) select id from down)`.execute(writing(tx));
  },

  async clearTakenPath(tx, page) {
    await sql`update page set file_path = null, file_digest = null, file_version = null, file_text = null
      where id = ${page} and (exists (select 1 from page other where other.workspace_id = page.workspace_id
          and other.file_path = page.file_path and other.id <> page.id and other.trash_batch is null)
        or exists (select 1 from attachment file where file.workspace_id = page.workspace_id
          and file.file_path = page.file_path))`.execute(writing(tx));
  },

  async pages(scope, workspace, limit, after) {
    let query = filedPages(scope).where('workspace_id', '=', workspace);
    if (after !== undefined) query = query.where('id', '>', after);
    return (await query.orderBy('id').limit(limit).execute()).map((row) => toFiled(scope, row));
  },

  async filed(scope, workspace, ids) {
    const rows = await inPieces(ids, (piece) => filedPages(scope).where('id', 'in', piece).execute());
    return ofWorkspace(rows, workspace).map((row) => toFiled(scope, row));
  },

  async children(scope, workspace, parent) {
    const lifted = parent === null ? liftedIn(scope) : [];
    const rows = await filedPages(scope)
      .where('workspace_id', '=', workspace)
      .where(({ eb, or }) =>
        or([
          eb('parent_id', parent === null ? 'is' : '=', parent),
          ...(lifted.length === 0 ? [] : [eb('id', 'in', [...lifted])]),
        ]),
      )
      .orderBy('position')
      .orderBy('id')
      .execute();
    return rows.map((row) => toFiled(scope, row));
  },

  async named(scope, workspace, keys) {
    const rows = await inPieces(keys, (piece) =>
      attachmentsOf(scope, workspace).where('name_key', 'in', piece).execute(),
    );
    return rows.map(toAttachment);
  },

  async attachments(scope, workspace, limit, after) {
    let query = attachmentsOf(scope, workspace);
    if (after)
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('file_path', 'zone'), '>', tuple(after.path, after.zone)),
      );
    return (await query.orderBy('file_path').orderBy('zone').limit(limit).execute()).map(toAttachment);
  },

  async attachmentsAt(scope, workspace, paths) {
    const rows = await inPieces(paths, (piece) =>
      attachmentsOf(scope, workspace).where('file_path', 'in', piece).orderBy('zone').execute(),
    );
    return rows.map(toAttachment);
  },

  async withDigests(scope, workspace, digests) {
    const rows = await inPieces(digests, (piece) =>
      attachmentsOf(scope, workspace).where('digest', 'in', piece).execute(),
    );
    return rows.map(toAttachment);
  },

  async blobsInUse(scope) {
    const rows = await reading(scope).selectFrom('attachment').select('parts').distinct().execute();
    return new Set(rows.flatMap(({ parts }) => JSON.parse(parts) as string[]));
  },

  async usesBlob(scope, digest) {
    const row = await reading(scope)
      .selectFrom('attachment')
      .select('file_path')
      .where('parts', 'like', `%"${digest}"%`)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  async attach(tx, workspace, attachments) {
    const rows = attachments.map(({ path, zone, nameKey, digest, size, mediaType, parts, broughtBy }) => ({
      workspace_id: workspace,
      file_path: path,
      zone,
      name_key: nameKey,
      digest,
      size,
      media_type: mediaType,
      parts: JSON.stringify(parts),
      brought_by: broughtBy,
    }));
    await inPieces(rows, async (piece) => {
      await writing(tx)
        .insertInto('attachment')
        .values([...piece])
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'file_path', 'zone']).doUpdateSet((row) => ({
            digest: row.ref('excluded.digest'),
            size: row.ref('excluded.size'),
            media_type: row.ref('excluded.media_type'),
            parts: row.ref('excluded.parts'),
            brought_by: row.ref('excluded.brought_by'),
          })),
        )
        .execute();
      return [];
    });
  },

  async detach(tx, workspace, files) {
    for (const [zone, own] of Map.groupBy(files, (file) => file.zone))
      await inPieces(own, async (piece) => {
        await writing(tx)
          .deleteFrom('attachment')
          .where('workspace_id', '=', workspace)
          .where('zone', '=', zone)
          .where(
            'file_path',
            'in',
            piece.map(({ path }) => path),
          )
          .execute();
        return [];
      });
  },

  ...zonedFiles,
};

/** Before the digest of a file that a sync saw. */
const BY_SYNC = 'sync:';

const readDigest = (seen: string): Pick<PageFile, 'digest' | 'seenBy'> =>
  seen.startsWith(BY_SYNC)
    ? { digest: seen.slice(BY_SYNC.length), seenBy: 'sync' }
    : { digest: seen, seenBy: 'import' };

const filedPages = (scope: ReadScope) =>
  reading(scope)
    .selectFrom('page')
    .select(['id', 'workspace_id', 'parent_id', 'title', 'dialect', 'file_path', 'version', 'lifecycle'])
    .select(sql<number>`case when content = '' then 1 else 0 end`.as('is_empty'))
    .where('trash_batch', 'is', null);

const toFiled = (
  scope: ReadScope,
  row: Pick<
    Database['page'],
    'id' | 'parent_id' | 'title' | 'dialect' | 'file_path' | 'version' | 'lifecycle'
  > & { readonly is_empty: number },
): FiledPage => ({
  id: row.id as PageId,
  parent: liftedIn(scope).includes(row.id) ? null : (row.parent_id as PageId | null),
  title: row.title,
  dialect: row.dialect as Dialect | null,
  path: row.file_path,
  version: row.version,
  lifecycle: row.lifecycle as Lifecycle,
  isEmpty: row.is_empty === 1,
});

const attachmentsOf = (scope: ReadScope, workspace: WorkspaceId) =>
  reading(scope).selectFrom('attachment').selectAll().where('workspace_id', '=', workspace);

const toAttachment = (row: Database['attachment']): Attachment => ({
  path: row.file_path,
  zone: row.zone,
  nameKey: row.name_key,
  digest: row.digest,
  size: row.size,
  mediaType: row.media_type,
  parts: JSON.parse(row.parts),
  broughtBy: row.brought_by,
});
