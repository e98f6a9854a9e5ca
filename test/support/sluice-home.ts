/** A Sluice in process for one suite; at its end everything in the store must agree. */
import { afterAll, beforeAll } from 'vitest';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { expectConsistent } from './check-consistency.ts';
import type { StoreUnderTest } from './each-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** It is open from the first test to the last; `prepare` runs before the first. */
export function useSluice(under: StoreUnderTest, prepare?: (sluice: Sluice) => Promise<void>): Sluice {
  const home = temporaryFolder();
  let opened: Sluice | undefined;
  beforeAll(async () => {
    if (!under.available()) return;
    opened = await createSluice({ home, config: under.config() });
    await prepare?.(opened);
  });
  afterAll(async () => {
    await opened?.close();
    if (under.available()) await expectConsistent(home, under.config());
  });
  const open = (): Sluice => opened as Sluice;
  return {
    call: (...given) => open().call(...given),
    listTools: () => open().listTools(),
    readResource: (uri) => open().readResource(uri),
    getPrompt: (...given) => open().getPrompt(...given),
    as: (caller) => open().as(caller),
    close: () => open().close(),
  };
}
