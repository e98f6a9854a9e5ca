/** Opening a store: an empty one is made, an old one goes on, a half-made one is made whole, a newer one is refused. */
import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeLayout, makeHome } from '../../src/drivers/home/home-layout.ts';
import { SCHEMA_CHANGES } from '../../src/drivers/store/migrate.ts';
import type { ProposalId, WorkspaceId } from '../../src/kernel/ids.ts';
import { onEachStore, type StoreUnderTest } from '../support/each-store.ts';
import { makeOldStore } from '../support/old-store.ts';
import { type Database, freshDatabase } from '../support/postgres.ts';
import { findPostgres } from '../support/postgres-broker.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { entryOf, openTestStore } from '../support/test-store.ts';

const OLD = { id: 'w-old', name: 'Old', name_key: 'old', created_at: 1, opened_at: 1, sequence: 0 };

onEachStore('the schema', (under) => {
  let server: string | undefined;
  const databases: Database[] = [];
  beforeAll(async () => {
    const found = await findPostgres();
    server = found.url;
  });
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  /** A store of its own for each test, with nothing in it. */
  async function empty(): Promise<{ own: StoreUnderTest; folder: string }> {
    const folder = temporaryFolder();
    makeHome(homeLayout(folder));
    if (under.kind === 'sqlite') return { own: under, folder };
    const database = await freshDatabase(server ?? '');
    databases.push(database);
    const { url } = database;
    return { own: { ...under, config: () => ({ 'store.kind': 'postgres', 'store.url': url }) }, folder };
  }

  /** Every table and index with the statement or definition that made it. */
  const schemaOf = (folder: string, own: StoreUnderTest) =>
    withRawDatabase(folder, own.config(), (database) =>
      database.all(
        under.kind === 'sqlite'
          ? `select type, name, sql from sqlite_master where name not like 'kysely%' order by name`
          : `select table_name, column_name, data_type, is_nullable from information_schema.columns
             where table_schema = 'public' and table_name not like 'kysely%' order by table_name, ordinal_position`,
      ),
    );

  it('[STORE-23] is made in an empty store, and nothing is made again when it is opened again', async () => {
    const { own, folder } = await empty();
    const first = await openTestStore(own, folder);
    await first.store.audit.append(entryOf({ call_id: 'kept' }));
    await first.close();
    const schema = await schemaOf(folder, own);
    expect(schema.length).toBeGreaterThan(20);
    const second = await openTestStore(own, folder);
    const kept = await second.store.units.read((scope) => second.store.auditReader.ofCall(scope, 'kept'));
    await second.close();
    expect(kept).toHaveLength(1);
    expect(await schemaOf(folder, own)).toEqual(schema);
  });

  it('[STORE-23] leaves nothing behind when it could not be made, so that the next attempt can', async () => {
    const { own, folder } = await empty();
    // Something in the way of one of the last tables.
    await withRawDatabase(folder, own.config(), (database) =>
      database.run('create table trash_item (x integer)'),
    );
    await expect(openTestStore(own, folder)).rejects.toMatchObject({ code: 'unavailable' });
    const left = await schemaOf(folder, own);
    expect(left.map((row) => row.name ?? row.table_name)).toEqual(['trash_item']);
    await withRawDatabase(folder, own.config(), (database) => database.run('drop table trash_item'));
    const opened = await openTestStore(own, folder);
    await opened.store.audit.append(entryOf());
    await opened.close();
  });

  /** As the first release left it. */
  async function fromFirstRelease(): Promise<{ own: StoreUnderTest; folder: string }> {
    const { own, folder } = await empty();
    await makeOldStore(own, folder, SCHEMA_CHANGES.slice(0, 1), (db) =>
      db.insertInto('workspace').values(OLD).execute(),
    );
    return { own, folder };
  }

  it('[STORE-23] of an earlier release is brought up to date, with all that was in it', async () => {
    const { own, folder } = await fromFirstRelease();
    const opened = await openTestStore(own, folder);
    const [workspace] = await opened.store.units.read((scope) => opened.store.workspaces.all(scope));
    expect(workspace?.name).toBe('Old');
    const files = await opened.store.units.read((scope) =>
      opened.store.files.attachments(scope, workspace?.id ?? ('' as WorkspaceId), 1),
    );
    expect(files).toEqual([]);
    await opened.close();
  });

  it('[STORE-23] of an earlier release stays as it is when it could not be brought up to date', async () => {
    const { own, folder } = await fromFirstRelease();
    await withRawDatabase(folder, own.config(), (database) =>
      database.run('create table attachment (x integer)'),
    );
    const before = await schemaOf(folder, own);
    await expect(openTestStore(own, folder)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await schemaOf(folder, own)).toEqual(before);
    await withRawDatabase(folder, own.config(), (database) => database.run('drop table attachment'));
    await (await openTestStore(own, folder)).close();
  });

  it('[PERM-23] of before files lay in zones has them where the pages lie that show them', async () => {
    const { own, folder } = await empty();
    const old = SCHEMA_CHANGES.filter(({ name }) => name < '0018');
    const workspace = OLD.id as WorkspaceId;
    await makeOldStore(own, folder, old, (db) => db.insertInto('workspace').values(OLD).execute());
    const [zone, open] = ['0190aaaa-0000-7000-8000-000000000001', '0190aaaa-0000-7000-8000-000000000002'];
    const shows: [string, string, string[]][] = [
      [zone, `'${zone}'`, ['secret.png', 'both.png']],
      [open, 'null', ['both.png']],
    ];
    await withRawDatabase(folder, own.config(), async (database) => {
      for (const [id, lies, names] of shows) {
        await database.run(
          `insert into page (id, workspace_id, slug, slug_key, title, title_key, position, properties, tags,
             origin, lifecycle, version, content, words, created_at, created_by, updated_at, updated_by, zone)
           values ('${id}', '${workspace}', '${id}', '${id}', 'It', 'it', 'a', '{}', '[]',
             'authored', 'canonical', 'v', '', 0, 7, 'ann', 7, 'ann', ${lies})`,
        );
        for (const [i, name] of names.entries())
          await database.run(
            `insert into page_link (source_id, ordinal, workspace_id, form, embed, position, length,
               target_position, target_length, path, target_key, status)
             values ('${id}', ${i}, '${workspace}', 'wiki', 1, 0, 1, 0, 1, '${name}', '${name}', 'file')`,
          );
      }
      for (const name of ['secret.png', 'both.png', 'none.png'])
        await database.run(
          `insert into attachment (workspace_id, file_path, name_key, digest, size, media_type, parts)
           values ('${workspace}', '${name}', '${name}', 'd', 1, 'x/y', '["d"]')`,
        );
    });
    const opened = await openTestStore(own, folder);
    const files = await opened.store.units.read((scope) =>
      opened.store.files.attachments(scope, workspace, 10),
    );
    expect(files.map((file) => [file.path, file.zone])).toEqual([
      ['both.png', ''],
      ['none.png', ''],
      ['secret.png', zone],
    ]);
    await opened.close();
  });

  it('[PERM-32] of before it was noted who brought a file has it from the log', async () => {
    const { own, folder } = await empty();
    const old = SCHEMA_CHANGES.filter(({ name }) => name < '0020');
    const workspace = OLD.id as WorkspaceId;
    await makeOldStore(own, folder, old, (db) => db.insertInto('workspace').values(OLD).execute());
    const events: [string, string][] = [
      ['ann', '{"changes":[{"path":"a.png","after":"d"},{"path":"b.png","after":"d"}]}'],
      ['bot', '{"changes":[{"path":"a.png","after":"d"},{"path":"b.png","after":"e"}]}'],
      ['bot', '{"files":["c.png"],"count":1}'],
      ['eve', '{"changes":[{"path":"a.png","after":"f"}]}'],
      // More than are looked at at once.
      ...Array.from({ length: 600 }, (): [string, string] => ['bot', '{"changes":[]}']),
    ];
    await withRawDatabase(folder, own.config(), async (database) => {
      const rows = events.map(
        (
          [who, details],
          i,
        ) => `('${workspace}', ${i + 1}, 7, 'files_attached', 'call', 'run', '${who}', '${who}',
          'it', 'authored', ${i + 1}, '${details}')`,
      );
      await database.run(
        `insert into event (workspace_id, sequence, at, kind, call_id, run_id, principal_id, principal_name,
           tool, origin, change, details) values ${rows.join(', ')}`,
      );
      for (const [name, zone, digest] of [
        ['a.png', '', 'd'],
        ['a.png', 'zone', 'f'],
        ['b.png', '', 'd'],
        ['c.png', '', 'd'],
      ])
        await database.run(
          `insert into attachment (workspace_id, file_path, zone, name_key, digest, size, media_type, parts)
           values ('${workspace}', '${name}', '${zone}', '${name}', '${digest}', 1, 'x/y', '["${digest}"]')`,
        );
      await database.run(
        `insert into file_coming (workspace_id, file_path, zone, sequence)
         values ('${workspace}', 'a.png', 'zone', 4)`,
      );
    });
    const opened = await openTestStore(own, folder);
    const files = await opened.store.units.read((scope) =>
      opened.store.files.attachments(scope, workspace, 10),
    );
    expect(files.map((file) => [file.path, file.broughtBy])).toEqual([
      ['a.png', 'bot'],
      ['a.png', 'eve'],
      ['b.png', 'ann'],
      ['c.png', null],
    ]);
    await opened.close();
    // Where a file came from before zones was outside of all of them.
    await withRawDatabase(folder, own.config(), async (database) =>
      expect(await database.all('select file_path, zone, came_from, sequence from file_coming')).toEqual([
        { file_path: 'a.png', zone: 'zone', came_from: '', sequence: 4 },
      ]),
    );
  });

  it('[PROP-25] of before there was review has a proposal for each page that waits', async () => {
    const { own, folder } = await empty();
    const old = SCHEMA_CHANGES.filter(({ name }) => name < '0003');
    const workspace = OLD.id as WorkspaceId;
    await makeOldStore(own, folder, old, (db) => db.insertInto('workspace').values(OLD).execute());
    const page = '0190aaaa-0000-7000-8000-000000000001';
    await withRawDatabase(folder, own.config(), async (database) => {
      for (const [id, lifecycle] of [
        [page, 'candidate'],
        ['0190aaaa-0000-7000-8000-000000000002', 'canonical'],
      ]) {
        await database.run(
          `insert into page (id, workspace_id, slug, slug_key, title, title_key, position, properties, tags,
             origin, lifecycle, version, content, words, created_at, created_by, updated_at, updated_by)
           values ('${id}', '${workspace}', '${id}', '${id}', 'It''s', 'it''s', 'a', '{}', '[]',
             'agent-produced', '${lifecycle}', 'v', '', 0, 7, 'bot', 7, 'bot')`,
        );
        await database.run(
          `insert into event (workspace_id, sequence, at, kind, page_id, call_id, run_id, principal_id,
             principal_name, tool, origin, after_version, change, details)
           values ('${workspace}', ${lifecycle === 'candidate' ? 1 : 2}, 7, 'page_created', '${id}', 'call',
             'run', 'agent:bot', 'bot', 'create_page', 'agent-produced', 'v', 1, '{}')`,
        );
      }
    });
    const opened = await openTestStore(own, folder);
    const found = await opened.store.units.read((scope) =>
      opened.store.proposals.list(scope, workspace, { now: 8 }, 10),
    );
    expect(found).toMatchObject([
      {
        id: page as ProposalId,
        page,
        op: 'create_page',
        summary: 'New page "It\'s"',
        state: 'pending',
        by: { principal: { id: 'agent:bot', name: 'bot' }, run: 'run', call: 'call' },
        createdAt: 7,
        expiresAt: null,
      },
    ]);
    await opened.close();
  });

  it('[PROP-25][EDIT-17] of before drafts could be accepted has a proposal for each, and properties their order', async () => {
    const { own, folder } = await empty();
    const workspace = OLD.id as WorkspaceId;
    const old = SCHEMA_CHANGES.filter(({ name }) => name < '0012');
    await makeOldStore(own, folder, old, (db) => db.insertInto('workspace').values(OLD).execute());
    const page = '0190aaaa-0000-7000-8000-000000000003';
    await withRawDatabase(folder, own.config(), async (database) => {
      await database.run(
        `insert into page (id, workspace_id, slug, slug_key, title, title_key, position, properties, tags,
           origin, lifecycle, version, content, words, created_at, created_by, updated_at, updated_by)
         values ('${page}', '${workspace}', 'n', 'n', 'Note', 'note', 'a', '{"n":[2,"x"]}', '[]',
           'imported', 'draft', 'v', '', 0, 7, 'owner', 7, 'owner')`,
      );
      await database.run(
        `insert into event (workspace_id, sequence, at, kind, page_id, call_id, run_id, principal_id,
           principal_name, tool, origin, after_version, change, details)
         values ('${workspace}', 1, 7, 'page_created', '${page}', 'call',
           'run', 'owner', 'owner', 'import_pages', 'imported', 'v', 1, '{}')`,
      );
      for (const value of ['2', 'x'])
        await database.run(
          `insert into page_property (page_id, workspace_id, key, value) values ('${page}', '${workspace}', 'n', '${value}')`,
        );
    });
    const opened = await openTestStore(own, folder);
    const found = await opened.store.units.read((scope) =>
      opened.store.proposals.list(scope, workspace, { now: 8 }, 10),
    );
    expect(found).toMatchObject([
      { id: page as ProposalId, summary: 'Imported page "Note"', state: 'pending', origin: 'imported' },
    ]);
    const above = (bound: number) =>
      opened.store.units.read((scope) => {
        const condition = { key: 'n', is: 'above', kind: 'number', bound } as const;
        return opened.store.search.browse(scope, workspace, { tags: [], properties: [condition] }, 10);
      });
    expect([await above(1), await above(2)]).toMatchObject([[{ page }], []]);
    await opened.close();
  });

  it('[STORE-24] is refused, with words that say why, when a newer Sluice has written it', async () => {
    const { own, folder } = await empty();
    await (await openTestStore(own, folder)).close();
    await withRawDatabase(folder, own.config(), (database) =>
      database.run(
        `insert into kysely_migration (name, timestamp) values ('9999_future', '2099-01-01T00:00:00Z')`,
      ),
    );
    const before = await schemaOf(folder, own);
    await expect(openTestStore(own, folder)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/newer Sluice.*9999_future/),
    });
    expect(await schemaOf(folder, own)).toEqual(before);
  });

  it('[STORE-24] holds no connection after it was refused', async () => {
    const { own, folder } = await empty();
    await (await openTestStore(own, folder)).close();
    await withRawDatabase(folder, own.config(), (database) =>
      database.run(
        `insert into kysely_migration (name, timestamp) values ('9999_future', '2099-01-01T00:00:00Z')`,
      ),
    );
    await expect(openTestStore(own, folder)).rejects.toThrow();
    if (under.kind === 'sqlite') {
      const held = readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
      expect(held.filter((path) => path.startsWith(homeLayout(folder).database))).toEqual([]);
      return;
    }
    const sessions = () =>
      withRawDatabase(folder, own.config(), (database) =>
        database.all(
          `select pid from pg_stat_activity where datname = current_database() and application_name = 'sluice'`,
        ),
      );
    // The server notices the end of a connection a moment later.
    await expect.poll(sessions).toEqual([]);
  });
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
