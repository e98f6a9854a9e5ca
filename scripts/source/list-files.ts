/** Lists the files below a folder in a steady order; looks neither into hidden nor into installed folders. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const unread = /^(node_modules|dist|coverage|\..+)$/;

/** Paths below `root`, with forward slashes; an absent root has no files. */
export function listFiles(root: string, wanted: (path: string) => boolean = () => true): string[] {
  const found: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !unread.test(entry.name)) visit(path);
      else if (entry.isFile() && wanted(path)) found.push(path);
    }
  };
  visit('');
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
