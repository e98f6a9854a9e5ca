/** What the last export left in a folder, so that the next one can tell its own files from others'. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SluiceError } from '../kernel/errors.ts';

export const EXPORT_MARKER = '.sluice-export.json';

const marker = z.object({ version: z.literal(1), files: z.record(z.string(), z.string()) });

/** Paths and digests; undefined when nothing was exported there. */
export async function readMarker(folder: string): Promise<Map<string, string> | undefined> {
  let text: string;
  try {
    text = await readFile(join(folder, EXPORT_MARKER), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return new Map(Object.entries(marker.parse(JSON.parse(text)).files));
  } catch (error) {
    const path = join(folder, EXPORT_MARKER);
    throw new SluiceError(
      'integrity_failed',
      `"${path}" is not what an export writes; delete it to begin anew`,
      {},
      error,
    );
  }
}

export const markerText = (files: ReadonlyMap<string, string>): string =>
  `${JSON.stringify({ version: 1, files: Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1))) }, null, 1)}\n`;
