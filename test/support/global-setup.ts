/** What every vitest run needs once, however it was started. */
import { openBroker } from './postgres-broker.ts';
import { soaking } from './random.ts';
import { chooseSeed } from './seed.ts';

/** vitest calls this before the first test, and what it returns after the last. */
export async function setup(): Promise<() => Promise<void>> {
  const chosen = process.env.SLUICE_TEST_SEED === undefined;
  const seed = chooseSeed(soaking);
  if (chosen) process.stdout.write(`Seed: SLUICE_TEST_SEED=${seed}\n`);
  const broker = await openBroker();
  return () => broker.close();
}
