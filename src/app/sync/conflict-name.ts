/** What a text is called that is kept beside a file because the place is another's: `Name (conflict 2026-11-16 1).md`. */
import { posix } from 'node:path';

/** Leaves room for the number within what a file system takes. */
const MAX_NAME_BYTES = 200;

export function conflictName(path: string, day: string, n: number): string {
  const { dir, name, ext } = posix.parse(path);
  let cut = '';
  for (const character of name) {
    if (Buffer.byteLength(cut + character) > MAX_NAME_BYTES) break;
    cut += character;
  }
  return posix.join(dir, `${cut} (conflict ${day} ${n})${ext}`);
}
