/** Waiting in tests: for something to become true, and for something that must not take long. */

/** Asks again until it is true; the test's own timeout is what ends it otherwise. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The law says one second; a busy machine may need more to notice. */
export const WITHIN_A_SECOND_MS = 3_000;

/** Rejects when the promise has not settled in time. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
