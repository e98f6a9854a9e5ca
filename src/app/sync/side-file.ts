/** What folder and workspace last agreed on, kept in the folder itself, whole or not at all. */
import { lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SluiceError } from '../../kernel/errors.ts';
import { writeWhole } from '../export-files.ts';

/** In the synced folder; nothing in it is synced. */
export const SIDE_FOLDER = '.sluice';
const SIDE_FILE = 'sync.json';

/** How a file looked when it was last read: as long as it looks so, it is not read again. */
export const look = z.object({
  size: z.number(),
  mtime: z.string(),
  ctime: z.string(),
  /** With the time of its birth, because numbers are used again. */
  inode: z.string(),
});
export type Look = z.output<typeof look>;

/** The proposal by which it is to go, since its file is gone from the folder. */
const asked = z.string().optional();

const tiedPage = z.object({
  path: z.string(),
  digest: z.string(),
  version: z.string(),
  look: look.optional(),
  asked,
});
export type TiedPage = z.output<typeof tiedPage>;

const tiedFile = z.object({ digest: z.string(), look: look.optional(), asked });
export type TiedFile = z.output<typeof tiedFile>;

const side = z.object({
  version: z.literal(1),
  workspace: z.string(),
  change: z.int(),
  // Pairs, because a file may be called like something that every object has.
  pages: z.array(z.tuple([z.string(), tiedPage])),
  files: z.array(z.tuple([z.string(), tiedFile])),
});

export interface Agreement {
  /** Empty before the first sync. */
  workspace: string;
  /** The newest change of the workspace that was seen. */
  change: number;
  /** By the id of the page. */
  readonly pages: Map<string, TiedPage>;
  /** Attachments, by path. */
  readonly files: Map<string, TiedFile>;
}

const nothingAgreed = (): Agreement => ({
  workspace: '',
  change: 0,
  pages: new Map(),
  files: new Map(),
});

export async function readAgreement(folder: string): Promise<Agreement> {
  const path = join(folder, SIDE_FOLDER, SIDE_FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothingAgreed();
    throw error;
  }
  try {
    const { workspace, change, pages, files } = side.parse(JSON.parse(text));
    return { workspace, change, pages: new Map(pages), files: new Map(files) };
  } catch (error) {
    const problem = `"${path}" is not what a sync writes; delete it to begin anew`;
    throw new SluiceError('integrity_failed', problem, {}, error);
  }
}

export async function writeAgreement(folder: string, { pages, files, ...rest }: Agreement): Promise<void> {
  const all = { version: 1, ...rest, pages: [...pages], files: [...files] };
  await writeWhole(join(folder, SIDE_FOLDER, SIDE_FILE), Buffer.from(`${JSON.stringify(all)}\n`));
}

/** A folder of our own in it, that version control leaves alone. */
export async function makeSideFolder(folder: string): Promise<string> {
  const path = join(folder, SIDE_FOLDER);
  await mkdir(path, { recursive: true });
  if (!(await lstat(path)).isDirectory())
    throw new SluiceError('invalid_input', `"${path}" must be a folder, not a link to one`, {
      field: 'folder',
    });
  await writeFile(join(path, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => undefined);
  return path;
}
