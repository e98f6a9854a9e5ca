/** The seed of a run: printed when it begins, so that what random tests found can be found again. */

const name = 'SLUICE_TEST_SEED';

/** For fast-check's `seed` and for generators of our own. */
export function testSeed(): number {
  const seed = Number(process.env[name]);
  if (process.env[name] === undefined || !Number.isInteger(seed)) {
    throw new Error(`${name} is "${process.env[name] ?? ''}", an integer is wanted`);
  }
  return seed;
}

/**
 * Chooses one unless the environment names it; the processes started afterwards inherit it.
 * A normal run repeats: it is red because of a change, never by luck. A soak looks for what is not known yet.
 */
export function chooseSeed(soak: boolean): number {
  process.env[name] ??= String(soak ? Math.floor(Math.random() * 2 ** 31) : 20_261_116);
  return testSeed();
}
