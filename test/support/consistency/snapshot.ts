/** Every table of a home as it stands, read without the code that keeps it. */
import type { Selectable } from 'kysely';
import type { AuditRecord } from '../../../src/domain/governance/audit-record.ts';
import type { Database } from '../../../src/drivers/store/schema.ts';
import type { RawDatabase } from '../raw-database.ts';

/** A token of a page in the search index, as often as it stands there. */
export interface IndexedToken {
  readonly number: number;
  readonly field: 'title' | 'headings' | 'body';
  readonly token: string;
  readonly count: number;
}

type Rows<Name extends keyof Database> = readonly Selectable<Database[Name]>[];

export interface Snapshot {
  readonly pages: Rows<'page'>;
  readonly documents: Rows<'page_document'>;
  readonly updates: Rows<'page_update'>;
  readonly aliases: Rows<'page_alias'>;
  readonly tags: Rows<'page_tag'>;
  readonly properties: Rows<'page_property'>;
  readonly links: Rows<'page_link'>;
  readonly attachments: Rows<'attachment'>;
  readonly sources: Rows<'page_source'>;
  readonly events: Rows<'event'>;
  readonly workspaces: Rows<'workspace'>;
  readonly batches: Rows<'trash_batch'>;
  readonly items: Rows<'trash_item'>;
  readonly grants: Rows<'permission_grant'>;
  readonly results: Rows<'kept_result'>;
  readonly audit: readonly AuditRecord[];
  readonly tokens: readonly IndexedToken[];
  /** What the database itself finds wrong. */
  readonly damage: readonly string[];
}

export async function readSnapshot(database: RawDatabase): Promise<Snapshot> {
  const table = async (name: string, order: string): Promise<never[]> =>
    database.all(`select * from ${name} order by ${order}`);
  return {
    pages: await table('page', 'number'),
    documents: await table('page_document', 'page_id'),
    updates: await table('page_update', 'page_id, number'),
    aliases: await table('page_alias', 'page_id, alias_key'),
    tags: await table('page_tag', 'page_id, tag_key'),
    properties: await table('page_property', 'page_id, key, value'),
    links: await table('page_link', 'source_id, ordinal'),
    attachments: await table('attachment', 'workspace_id, file_path'),
    sources: await table('page_source', 'page_id, sequence'),
    events: await table('event', 'workspace_id, sequence'),
    workspaces: await table('workspace', 'id'),
    batches: await table('trash_batch', 'id'),
    items: await table('trash_item', 'batch_id, page_id'),
    grants: await table('permission_grant', 'workspace_id, page_id, subject_kind, subject'),
    results: await table('kept_result', 'principal_id, tool, key'),
    audit: await table('audit', 'writer, sequence'),
    tokens: database.kind === 'sqlite' ? await sqliteTokens(database) : await postgresTokens(database),
    damage: database.kind === 'sqlite' ? await sqliteDamage(database) : await postgresDamage(database),
  };
}

async function sqliteTokens(database: RawDatabase): Promise<IndexedToken[]> {
  await database.run(
    `create virtual table if not exists temp.token using fts5vocab(main, page_search, 'instance')`,
  );
  return database.all(
    'select doc as number, col as field, term as token, count(*) as count from temp.token group by doc, col, term',
  );
}

async function postgresTokens(database: RawDatabase): Promise<IndexedToken[]> {
  return database.all(
    ['title', 'headings', 'body']
      .map(
        (field) =>
          `select page_number as number, '${field}' as field, term as token, ${field} as count from page_term where ${field} > 0`,
      )
      .join(' union all '),
  );
}

async function sqliteDamage(database: RawDatabase): Promise<string[]> {
  const integrity = await database.all<{ integrity_check: string }>('pragma integrity_check');
  const keys = await database.all('pragma foreign_key_check');
  const lengths = await database.all(`
    select page_number from page_length full join
      (select doc as page_number, count(*) as length from page_vocabulary group by doc) counted using (page_number)
    where coalesce(page_length.length, -1) <> coalesce(counted.length, 0)`);
  await database.run(`insert into page_search (page_search) values ('integrity-check')`);
  return [
    ...integrity.map((row) => row.integrity_check).filter((answer) => answer !== 'ok'),
    ...lengths.map((row) => `the length of a page in the search index is wrong: ${JSON.stringify(row)}`),
    ...keys.map((row) => `a foreign key leads nowhere: ${JSON.stringify(row)}`),
  ];
}

/** PostgreSQL holds its own constraints; what it cannot know are the sums that ranking is made of. */
async function postgresDamage(database: RawDatabase): Promise<string[]> {
  const wrong = await database.all(`
    select workspace.id, coalesce(total.pages, 0) pages, coalesce(total.tokens, 0) tokens,
      count(page_length.page_number)::bigint real_pages, coalesce(sum(page_length.length), 0)::bigint real_tokens
    from workspace
    left join search_total total on total.workspace_id = workspace.id
    left join page on page.workspace_id = workspace.id
    left join page_length on page_length.page_number = page.number
    group by workspace.id, total.pages, total.tokens
    having coalesce(total.pages, 0) <> count(page_length.page_number)
      or coalesce(total.tokens, 0) <> coalesce(sum(page_length.length), 0)`);
  const lengths = await database.all(`
    select page_number from page_length full join
      (select page_number, sum(title + headings + body) as length from page_term group by page_number) counted
      using (page_number)
    where coalesce(page_length.length, -1) <> coalesce(counted.length, 0)`);
  return [
    ...wrong.map((row) => `the sums of the search index are wrong: ${JSON.stringify(row)}`),
    ...lengths.map((row) => `the length of a page in the search index is wrong: ${JSON.stringify(row)}`),
  ];
}
