/**
 * What each table looks like to a caller who may not see everything. A statement that is read through a veil finds
 * these before the tables, so that a query that knows nothing of permissions shows nothing it must not. Every table
 * that has to do with pages is in here, and a test says so.
 */

import type { Veiling } from './veiling.ts';

/** Names a table itself. */
type Table = (name: string) => string;

/** How to look into what is kept as JSON. */
type Details = Pick<Veiling, 'names' | 'detail' | 'entries'>;

const seen = (page: string): string => `coalesce(${page}.zone, '') not in (select id from veil_hidden)`;

const ofSeenPage =
  (name: string, column = 'page_id') =>
  (table: Table): string =>
    `select * from ${table(name)} own where ${seenPage(table, `own.${column}`)}`;

const seenPage = (table: Table, id: string): string =>
  `exists (select 1 from ${table('page')} seen where seen.id = ${id} and ${seen('seen')})`;

const seenNumber = (table: Table, number: string): string =>
  `exists (select 1 from ${table('page')} seen where seen.number = ${number} and ${seen('seen')})`;

const LINK_COLUMNS =
  'source_id, ordinal, workspace_id, form, embed, position, length, target_position, target_length, path, fragment, display, target_key';

export const VEILED_TABLES: Readonly<Record<string, (table: Table, veiling: Details) => string>> = {
  page: (table) => `select * from ${table('page')} own where ${seen('own')}`,
  page_document: ofSeenPage('page_document'),
  page_update: ofSeenPage('page_update'),
  page_alias: ofSeenPage('page_alias'),
  page_tag: ofSeenPage('page_tag'),
  page_property: ofSeenPage('page_property'),
  trash_batch: ofSeenPage('trash_batch', 'root_id'),
  trash_item: ofSeenPage('trash_item'),

  // A link to what cannot be seen means nothing, unless its words mean something else that can be.
  page_link: (table) => `
    select ${LINK_COLUMNS}, status, target_id from ${table('page_link')} own
    where ${seenPage(table, 'own.source_id')} and (own.target_id is null or ${seenPage(table, 'own.target_id')})
    union all
    select ${LINK_COLUMNS}, 'unresolved', null from ${table('page_link')} own
    where ${seenPage(table, 'own.source_id')} and own.target_id is not null
      and not ${seenPage(table, 'own.target_id')}`,

  page_source: (table) => `select * from ${table('page_source')} own
    where ${seenPage(table, 'own.page_id')} and ${seenPage(table, 'own.source_id')}`,

  // That a run was undone is for who sees something of what it did. The run is the one that all undoing and redoing
  // of it began with.
  event: (table, veiling) => `select * from ${table('event')} own
    where ${seenEvent(table, veiling, 'own')}
      and (own.kind <> 'run_undone' or exists (select 1 from ${table('event')} done
        where done.workspace_id = own.workspace_id and done.run_id = ${veiling.detail('own.details', 'undo_of')}
          and done.kind <> 'run_undone' and ${seenEvent(table, veiling, 'done')}))`,

  file_coming: (table) => `select * from ${table('file_coming')} own where 1 = 0`,
  attachment: (table) => `select * from ${table('attachment')} own where ${seenFile(table, 'own')}`,

  block_provenance: ofSeenPage('block_provenance'),
  former_block: ofSeenPage('former_block'),
  // Sources that are gone for good are still said to have been there.
  attribution_source: (table) => `select * from ${table('attribution_source')} own
    where not exists (select 1 from ${table('page')} kept where kept.id = own.source_id and not ${seen('kept')})`,

  page_vector: ofSeenPage('page_vector'),
  proposal: (table, veiling) => `select * from ${table('proposal')} own
    where (own.page_id is null and not ${isAboutKept(table, veiling, 'own')}) or ${seenPage(table, 'own.page_id')}`,
  // What is known from a page is known to who may see the page.
  memory_item: (table) => `select * from ${table('memory_item')} own where own.id not in (${kept(table)})`,
  memory_term: (table) =>
    `select * from ${table('memory_term')} own where own.item_id not in (${kept(table)})`,
  // A memory may be made of more than pages.
  memory_source: (table) => `select * from ${table('memory_source')} own
    where not exists (select 1 from ${table('page')} kept where kept.id = own.source_id and not ${seen('kept')})`,

  permission_grant: (table) => `select * from ${table('permission_grant')} own where 1 = 0`,

  // The words of what cannot be seen count for nothing, or the scores of others would tell of them.
  page_term: (table) =>
    `select * from ${table('page_term')} own where ${seenNumber(table, 'own.page_number')}`,
  page_length: (table) =>
    `select * from ${table('page_length')} own where ${seenNumber(table, 'own.page_number')}`,
  search_total: (table) => `
    select seen.workspace_id, count(*) as pages, coalesce(sum(own.length), 0) as tokens
    from ${table('page_length')} own join ${table('page')} seen on seen.number = own.page_number
    where ${seen('seen')} group by seen.workspace_id`,
};

/**
 * Who may see what is itself not for those from whom something is kept; nor are the names of files kept from them, also
 * as they were noted before their files came out of sight; nor what became of memories that are gone for good, because
 * nothing tells any more what those were made from.
 */
function seenEvent(table: Table, veiling: Details, event: string): string {
  const { names, detail } = veiling;
  const zone = detail(`${event}.details`, 'zone');
  return `(${event}.kind not in ('permission_granted', 'permission_revoked')
    and (${event}.kind not like 'memory%'
      or (exists (select 1 from ${table('memory_item')} there where there.id = ${detail(`${event}.details`, 'memory')})
        and not exists (select 1 from (${kept(table)}) kept_one
          where ${event}.details like '%"' || kept_one.id || '"%')))
    and (${event}.kind not in ('change_proposed', 'proposal_accepted', 'proposal_rejected')
      or not exists (select 1 from ${table('proposal')} about
        where ${isAboutKept(table, veiling, 'about')} and ${event}.details like '%"' || about.id || '"%'))
    and (${event}.page_id is null or ${seenPage(table, `${event}.page_id`)})
    and case when ${event}.kind not in ('files_attached', 'files_detached') then true
      else ${seenZone(table, zone)}
        and not exists (select 1 from ${table('file_coming')} came
          where came.workspace_id = ${event}.workspace_id and came.came_from = ${zone}
            and ${event}.sequence <= came.sequence and ${names(`${event}.details`, 'came.file_path')}
            and not ${seenZone(table, 'came.zone')}) end)`;
}

/** Memories that were made from what cannot be seen, from pages that are gone for good, or from such memories. */
const kept = (table: Table): string => `
  with recursive kept_memory (id) as (
    select used.item_id from ${table('memory_source')} used
    left join ${table('page')} hidden on hidden.id = used.source_id
    where used.kind = 'page' and (hidden.id is null or not (${seen('hidden')}))
    union
    select used.item_id from ${table('memory_source')} used join kept_memory on kept_memory.id = used.source_id)
  select id from kept_memory`;

/** Whether a proposal would change such a memory, or one of which is not known any more whether it was. */
const isAboutKept = (table: Table, { entries, detail }: Details, proposal: string): string =>
  `(${proposal}.page_id is null and (exists (select 1 from (${kept(table)}) kept_one
      where ${proposal}.concerns like '%"' || kept_one.id || '"%')
    or exists (select 1 from ${entries(`${proposal}.concerns`)} where ${detail('entry.value', 'kind')} = 'memory'
      and not exists (select 1 from ${table('memory_item')} there where there.id = ${detail('entry.value', 'id')}))))`;

/** Files lie in zones. One whose page is gone for good is for those from whom nothing is kept. */
function seenFile(table: Table, file: string): string {
  return `(${file}.zone not in (select id from veil_hidden)
    and (${file}.zone = '' or exists (select 1 from ${table('page')} above where above.id = ${file}.zone)))`;
}

/** What was noted of a zone is noted of its page, also when that is none any more. */
const seenZone = (table: Table, zone: string): string =>
  `case when ${zone} = '' then '' not in (select id from veil_hidden) else ${seenPage(table, zone)} end`;
