/** Skipping with a reason. The run prints every reason at its end and fails on a skip that gives none. */
import { beforeEach } from 'vitest';

type Late<T> = T | (() => T);
const now = <T extends boolean | string>(value: Late<T>): T =>
  typeof value === 'function' ? value() : value;

/**
 * Called in a suite (or at the top of a file): runs its tests only if the condition holds. A condition that
 * becomes known in beforeAll is given as a function. Note that beforeAll itself always runs.
 */
export function skipUnless(condition: Late<boolean>, reason: Late<string>): void {
  beforeEach(({ skip }) => skip(!now(condition), now(reason)));
}
