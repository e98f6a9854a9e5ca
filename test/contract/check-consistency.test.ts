/** The checker that other tests rely on: it has nothing against a sound home and finds every kind of damage. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSluice } from '../../src/app/create-sluice.ts';
import { expectConsistent, findInconsistencies } from '../support/check-consistency.ts';
import { onEachStore } from '../support/each-store.ts';
import { openRawDatabase, type RawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

onEachStore('the consistency of a home', (under) => {
  const home = temporaryFolder();
  let database: RawDatabase | undefined;
  const pages: Record<string, string> = {};

  beforeAll(async () => {
    if (!under.available()) return;
    const sluice = await createSluice({ home, config: under.config() });
    const create = async (title: string, content: string, parent?: string): Promise<void> => {
      const page = await sluice.call('create_page', {
        title,
        content,
        tags: ['x'],
        properties: { k: 'v' },
        parent,
      });
      pages[title] = String(page.id);
    };
    await create('Root', '# Root\n\nSee [[Child]] and [[Gone]].\n');
    await create('Child', 'Back to [[Root]], out to [x](https://example.com).\n\nMore.\n', 'Root');
    await create('Gone', 'Short.\n');
    await create('Twin', 'Twin.\n');
    const { version } = await sluice.call('read_page', { page: 'Child' });
    await sluice.call('update_page_content', {
      page: 'Child',
      content: 'Back to [[Root]].\n',
      base_version: version,
    });
    await sluice.call('rename_page', { page: 'Root', title: 'Stem', keep_alias: true });
    await sluice.call('delete_page', { page: 'Gone' });
    await sluice.close();
    database = await openRawDatabase(home, under.config());
  });
  afterAll(() => database?.close());

  it('[DUR-04] has nothing against a home that was only used', () => expectConsistent(home, under.config()));

  const damages: readonly (readonly [string, string, string])[] = [
    ['content', `update page set content = content || 'x'`, 'is not its content'],
    ['blocks', `update page_document set blocks = '[]'`, 'do not join'],
    ['a version that never was', `update page set version = 'v1.x' where title = 'Child'`, 'no event left'],
    ['a lost update', 'delete from page_update', 'its document says'],
    [
      'a lost document',
      `delete from page_document where page_id = (select id from page where title = 'Twin')`,
      'no document',
    ],
    ['a lost link', 'delete from page_link where ordinal = 1', 'links, the index'],
    ['a link to elsewhere', `update page_link set status = 'unresolved', target_id = null`, 'the index says'],
    ['a wrong key', `update page_link set target_key = 'x' where status = 'resolved'`, 'wrong key'],
    ['a lost search entry', 'delete from SEARCH', 'the search index'],
    ['a lost event', 'delete from event where sequence = 3', 'should be'],
    ['a wrong number', 'update workspace set sequence = sequence + 1', 'its number is'],
    [
      'a page without a beginning',
      `update event set kind = 'metadata_changed' where kind = 'page_created'`,
      'was created 0 times',
    ],
    [
      'a circle',
      `update page set parent_id = (select id from page where title = 'Child') where title = 'Stem'`,
      'in a circle',
    ],
    [
      'a live page below a trashed one',
      `update page set parent_id = (select id from page where title = 'Gone') where title = 'Twin'`,
      'below a trashed',
    ],
    [
      'a slug twice',
      `update page set parent_id = null, slug = 'twin', slug_key = 'twin' where title = 'Child'`,
      'slug of its sibling',
    ],
    ['a page in a wrong zone', `update page set zone = id where title = 'Child'`, 'lies in the zone'],
    ['a stale key', `update page set title_key = 'x'`, 'stale keys'],
    ['lost tags', 'delete from page_tag', 'other tags'],
    ['lost properties', 'delete from page_property', 'other properties'],
    ['a lost trash item', 'delete from trash_item', 'does not know where'],
    ['a batch that says it was restored', 'update trash_batch set restored_at = 1', 'was restored, but'],
    [
      'a page taken out of the trash by hand',
      `update page set trash_batch = null where title = 'Gone'`,
      'empty and not restored',
    ],
    [
      'an event that nobody recorded',
      `update audit set call_id = 'x' where tool_name = 'rename_page'`,
      'in no audit record',
    ],
    [
      'an edited audit record',
      `update audit set subject_name = 'x' where sequence = 5`,
      'does not match its hash',
    ],
    ['a cut audit log', 'delete from audit where sequence > 4', 'was signed'],
  ];

  it.each(damages)('[DUR-04] finds %s', async (_, statement, problem) => {
    if (!database) throw new Error('There is no database');
    const search = under.kind === 'sqlite' ? 'page_search' : 'page_term';
    // Undone again, so that every damage stands alone. Indexes and keys would be in an intruder's way, not in a bug's.
    const restore = await copyTables(database);
    try {
      await database.run(statement.replace('SEARCH', search));
      const found = await findInconsistencies(home, under.config());
      expect(found.join('\n')).toContain(problem);
    } finally {
      await restore();
    }
    await expectConsistent(home, under.config());
  });

  const TABLES =
    'page page_document page_update page_alias page_tag page_property page_link event workspace trash_batch trash_item audit';

  async function copyTables(raw: RawDatabase): Promise<() => Promise<void>> {
    const names = TABLES.split(' ');
    if (raw.kind === 'sqlite') {
      await raw.run('pragma foreign_keys = off; drop index if exists page_sibling');
      for (const name of names) await raw.run(`create temp table copy_${name} as select * from ${name}`);
      await raw.run('create temp table copy_search as select rowid as number, * from page_search');
      return async () => {
        for (const name of names)
          await raw.run(
            `delete from ${name}; insert into ${name} select * from copy_${name}; drop table copy_${name}`,
          );
        await raw.run(
          `delete from page_search;
           insert into page_search (rowid, title, headings, body) select number, title, headings, body from copy_search;
           drop table copy_search`,
        );
      };
    }
    await raw.run('drop index if exists page_sibling; set session_replication_role = replica');
    const all = [...names, 'page_term'];
    for (const name of all) await raw.run(`create temp table copy_${name} as select * from ${name}`);
    return async () => {
      for (const name of all) {
        const overriding = name === 'page' ? 'overriding system value' : '';
        await raw.run(
          `delete from ${name}; insert into ${name} ${overriding} select * from copy_${name}; drop table copy_${name}`,
        );
      }
    };
  }
});
