/** A folder, a Sluice in process and a sync between them; compared as bytes. */
import {
  type Dirent,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createSluice, type Sluice } from '../../src/app/create-sluice.ts';
import { planSync } from '../../src/app/sync/plan-sync.ts';
import type { SyncReport } from '../../src/app/sync/report.ts';
import { type SyncWish, syncOnce } from '../../src/app/sync/sync-folder.ts';
import type { Config } from '../../src/config/keys.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { temporaryFolder } from './temporary-folder.ts';

export interface SyncedFolder {
  readonly folder: string;
  readonly home: string;
  readonly sluice: Sluice;
  readonly call: Sluice['call'];
  /** By the owner unless told otherwise. */
  sync(further?: Partial<SyncWish>, call?: Sluice['call']): Promise<SyncReport>;
  plan(): Promise<readonly string[]>;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  read(path: string): string;
  /** Paths of everything in it but what sync keeps for itself. */
  paths(): string[];
}

export async function syncedFolder(
  files: Readonly<Record<string, string | Buffer>> = {},
  config: Partial<Config> = {},
): Promise<SyncedFolder> {
  const [folder, home] = [temporaryFolder('sluice-folder-'), temporaryFolder()];
  const sluice = await createSluice({ home, config });
  const meansOf = (own: Sluice['call']) => ({
    withTools: <T>(work: (call: Sluice['call']) => Promise<T>): Promise<T> => work(own),
    followWorkspace: async () => undefined,
  });
  const means = meansOf(sluice.call);
  const wish = {
    folder,
    home,
    dialect: 'obsidian',
    candidates: false,
    clock: systemClock,
    onProgress: () => undefined,
  } as const;
  const synced: SyncedFolder = {
    folder,
    home,
    sluice,
    call: sluice.call,
    sync: (further = {}, call = sluice.call) => syncOnce(meansOf(call), { ...wish, ...further }),
    plan: async () => (await planSync(means, wish)).steps.map(({ path, step }) => `${path}: ${step}`),
    write: (given) => writeFiles(folder, given),
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    paths: () => pathsIn(folder),
  };
  synced.write(files);
  return synced;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Also while others move folders about. */
export function pathsIn(folder: string, below = ''): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(folder, below), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => below !== '' || !['.sluice', '.git'].includes(name))
    .flatMap((entry) => {
      const path = below + entry.name;
      if (entry.isDirectory()) return pathsIn(folder, `${path}/`);
      return entry.isFile() ? [path] : [];
    })
    .sort();
}

/** Bytes of every file, and when it was last written to. */
export const snapshotOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    pathsIn(folder).map((path) => {
      const absolute = join(folder, path);
      return [path, `${statSync(absolute, { bigint: true }).mtimeNs} ${readFileSync(absolute, 'base64')}`];
    }),
  );

/** As if nobody had touched it for long. */
export const age = (folder: string): void => {
  for (const path of pathsIn(folder)) utimesSync(join(folder, path), 1_000_000_000, 1_000_000_000);
};

type Call = (tool: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** What the workspace would write, by path. */
export async function workspaceFiles(call: Call): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const [tool, take] of [
    ['export_pages', (file: Answered) => file.text ?? ''],
    ['list_attachments', (file: Answered) => file.digest],
  ] as const) {
    let cursor: unknown;
    do {
      const part = await call(tool, cursor === undefined ? {} : { cursor });
      for (const file of part.files as Answered[]) files[file.path] = take(file);
      cursor = part.next_cursor;
    } while (cursor !== undefined);
  }
  return files;
}

interface Answered {
  readonly path: string;
  readonly text?: string;
  readonly digest: string;
}
