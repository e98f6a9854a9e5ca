/** Opens the store that the configuration names. */
import type { Config } from '../config/keys.ts';
import { openSqliteStore } from '../drivers/store/sqlite/open.ts';
import type { Store, StoreMeans } from '../drivers/store/store.ts';
import { SluiceError } from '../kernel/errors.ts';

export async function openStore(config: Config, database: string, use: StoreMeans): Promise<Store> {
  if (config['store.kind'] === 'sqlite') return openSqliteStore(database, use);
  const url = config['store.url'];
  if (url === null) {
    throw new SluiceError(
      'invalid_input',
      '"store.url" must name the database when "store.kind" is postgres',
    );
  }
  // Loaded only where it is used: the embedded default should not pay for it at start.
  const { openPostgresStore } = await import('../drivers/store/postgres/open.ts');
  return openPostgresStore(url, use);
}
