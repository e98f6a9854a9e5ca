/** Makes the index of words look as an older Sluice left it: by other rules, with nothing in it that today's would find. */
import type { Config } from '../../src/config/keys.ts';
import { withRawDatabase } from './raw-database.ts';

export async function ageWords(home: string, config: Partial<Config>): Promise<void> {
  await withRawDatabase(home, config, async (database) => {
    const statements =
      database.kind === 'sqlite'
        ? [
            "update page_search set title = 'old', headings = '', body = ''",
            'update page_length set length = 1',
          ]
        : [
            'delete from page_term',
            "insert into page_term select 'old', page_number, 1, 0, 0 from page_length",
            'update page_length set length = 1',
            'update search_total set tokens = pages',
          ];
    for (const statement of [...statements, 'update page_length set analysis = 1'])
      await database.run(statement);
  });
}
