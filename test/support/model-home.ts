/** A home for tests that make thousands of calls and look into the database beside them. */
import { afterAll, beforeAll } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { expectConsistent } from './check-consistency.ts';
import type { StoreUnderTest } from './each-store.ts';
import { openRawDatabase, type RawDatabase } from './raw-database.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { UNLIMITED } from './unlimited.ts';

export interface ModelHome {
  sluice(): Sluice;
  raw(): RawDatabase;
  /** Ends it and sees that everything in the store agrees; the last thing a suite does. */
  closeConsistent(): Promise<void>;
}

/** `prepare` runs once, before the first test. */
export function useModelHome(under: StoreUnderTest, prepare?: (sluice: Sluice) => Promise<void>): ModelHome {
  const home = temporaryFolder();
  let sluice: Sluice | undefined;
  let raw: RawDatabase | undefined;
  beforeAll(async () => {
    if (!under.available()) return;
    sluice = await createSluice({ home, config: { ...under.config(), ...UNLIMITED } });
    raw = await openRawDatabase(home, under.config());
    await prepare?.(sluice);
  });
  afterAll(async () => {
    await raw?.close();
    await sluice?.close();
  });
  return {
    sluice: () => sluice as Sluice,
    raw: () => raw as RawDatabase,
    async closeConsistent() {
      await sluice?.close();
      sluice = undefined;
      if (under.available()) await expectConsistent(home, under.config());
    },
  };
}
