/**
 * Tells a home that was used and lost a part from a new one. A database or a key that is gone is never made
 * anew: an empty one in its place would hide the loss until the backups with the old one are gone as well.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SluiceError } from '../../kernel/errors.ts';
import type { HomeLayout } from './home-layout.ts';
import { KEY_FILES } from './keys.ts';

/** `embedded`: the store is a file of the home. Needs the home's lock. */
export function refuseLostParts(layout: HomeLayout, embedded: boolean): void {
  const signed = ['newest', 'kept.jsonl'].some((name) => hasContent(join(layout.heads, name)));
  const stored = embedded && hasContent(layout.database);
  if (embedded && signed && !stored) {
    throw lost(
      `The database ${layout.database} is gone, although this home has signed records of it`,
      'if the data is in PostgreSQL, "store.kind" must say so',
    );
  }
  // The keys are made before the first record is, all of them.
  const missing = KEY_FILES.map((name) => join(layout.keys, name)).find((path) => !hasContent(path));
  if (missing !== undefined && (signed || stored))
    throw lost(`The key ${missing} is gone, and what this home keeps cannot be read or continued without it`);
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

const lost = (what: string, ...further: readonly string[]): SluiceError =>
  new SluiceError(
    'unavailable',
    [
      what,
      'put it back, or a backup in the place of the home with "sluice restore FOLDER --yes"',
      ...further,
    ].join('; '),
  );
