/** Waiting in tests for something to become true. */

/** Asks again until it is true; the test's own timeout is what ends it otherwise. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}
