/** Whether there is so much to look at that others would notice. */
import type { ProviderResult } from '../result.ts';

/** Characters; a few milliseconds. */
const LONG = 64 * 1024;

/** Counts only until it knows. */
export function isLong({ content, structured }: ProviderResult): boolean {
  const rest: unknown[] = [content, structured];
  let length = 0;
  while (rest.length > 0 && length <= LONG) {
    const value = rest.pop();
    length += 1;
    if (typeof value === 'string') length += value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      length += key.length;
      rest.push(inner);
    }
  }
  return length > LONG;
}
