/** Runs one suite on every store: the embedded one and PostgreSQL. */
import { describe } from 'vitest';
import type { Config } from '../../src/config/keys.ts';
import { useFreshDatabase } from './postgres.ts';

export interface StoreUnderTest {
  readonly kind: 'sqlite' | 'postgres';
  /** For `createSluice({ config })`; read it inside hooks and tests, when the database exists. */
  config(): Partial<Config>;
  /** For processes: the same as environment variables. */
  environment(): Record<string, string>;
  /** False where the store is not there and the tests are skipped; hooks must then do nothing. */
  available(): boolean;
}

export function onEachStore(title: string, suite: (store: StoreUnderTest) => void): void {
  describe(`${title} on SQLite`, () => {
    suite({ kind: 'sqlite', config: () => ({}), environment: () => ({}), available: () => true });
  });
  describe(`${title} on PostgreSQL`, () => {
    const database = useFreshDatabase();
    const url = (): string => database.url ?? '';
    suite({
      kind: 'postgres',
      config: () => ({ 'store.kind': 'postgres', 'store.url': url() }),
      environment: () => ({ SLUICE_STORE: 'postgres', SLUICE_STORE_URL: url() }),
      available: () => database.url !== undefined,
    });
  });
}
