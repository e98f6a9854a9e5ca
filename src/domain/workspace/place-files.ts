/**
 * Says in which zones files land. What a caller cannot see takes no path away from it and is not replaced by it: its
 * own file then lies beside the other, in another zone.
 */
import { atLeast, OUTERMOST, type Zone } from '../../kernel/sight.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import { workspaceOf } from './page-rules.ts';
import { levelOf } from './permissions/may-write.ts';
import type { Attachment } from './ports/file-store.ts';

/** A file before it is known where it lies. */
export type Unplaced = Omit<Attachment, 'zone'>;

export interface FilePlace {
  readonly file: Unplaced;
  /** Where it is put: in the place of a file that the caller sees, wherever that lies. */
  readonly zones: readonly Zone[];
  /** What lies there now. */
  readonly before: Attachment | undefined;
}

export async function placeFiles(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  landing: Landing,
  files: readonly Unplaced[],
  into: PageHeader | null,
): Promise<readonly FilePlace[]> {
  const workspace = workspaceOf(landing.submission);
  const paths = files.map(({ path }) => path);
  const seen = Map.groupBy(await use.files.attachmentsAt(landing.tx, workspace, paths), ({ path }) => path);
  const fresh = files.filter(({ path }) => !seen.has(path));
  const zones = await zonesFor(use, landing, fresh, into?.zone ?? OUTERMOST);
  return files.map((file) => {
    const there = seen.get(file.path) ?? [];
    const before = there.find(({ zone }) => zone === into?.zone) ?? there.at(-1);
    if (!before) return { file, zones: [zones.get(file.path) ?? OUTERMOST], before };
    return {
      file,
      zones: there.filter(({ digest }) => digest === before.digest).map(({ zone }) => zone),
      before,
    };
  });
}

/** Where the page lies whose folder it is, else where all the pages lie that show it, as far as the caller sees any. */
async function zonesFor(
  use: Pick<WorkspaceMeans, 'pages' | 'files' | 'links'>,
  landing: Landing,
  files: readonly Unplaced[],
  around: Zone,
): Promise<ReadonlyMap<string, Zone>> {
  if (around !== OUTERMOST || files.length === 0) return new Map(files.map(({ path }) => [path, around]));
  const [folders, showing] = [
    await zonesOfFolders(use, landing, files),
    await zonesOfShowing(use, landing, files),
  ];
  const { submission } = landing;
  return new Map(
    files.map(({ path, nameKey }) => {
      const above = foldersOf(path).flatMap((folder) => notesOf(folder));
      const found = above.map((note) => folders.get(note)).find((zone) => zone !== undefined);
      const zone = found ?? only(showing.get(nameKey)) ?? OUTERMOST;
      return [path, atLeast(levelOf(submission, { title: path, zone }), 'propose') ? zone : OUTERMOST];
    }),
  );
}

const only = (zones: ReadonlySet<Zone> = new Set()): Zone | undefined =>
  zones.size === 1 ? [...zones][0] : undefined;

async function zonesOfFolders(
  use: Pick<WorkspaceMeans, 'pages' | 'files'>,
  { tx, submission }: Landing,
  files: readonly Unplaced[],
): Promise<ReadonlyMap<string, Zone>> {
  const workspace = workspaceOf(submission);
  const notes = new Set(files.flatMap(({ path }) => foldersOf(path)).flatMap(notesOf));
  const found = await use.files.atPaths(tx, workspace, [...notes]);
  const headers = await use.pages.headers(
    tx,
    workspace,
    found.map(({ page }) => page),
  );
  const zones = new Map(headers.map(({ id, zone }) => [id, zone ?? OUTERMOST]));
  return new Map(found.map(({ path, page }) => [path, zones.get(page) ?? OUTERMOST]));
}

async function zonesOfShowing(
  use: Pick<WorkspaceMeans, 'pages' | 'links'>,
  { tx, submission }: Landing,
  files: readonly Unplaced[],
): Promise<ReadonlyMap<string, ReadonlySet<Zone>>> {
  const workspace = workspaceOf(submission);
  const links = await use.links.byKeys(tx, workspace, [...new Set(files.map(({ nameKey }) => nameKey))]);
  const sources = [...new Set(links.map(({ source }) => source))];
  const headers = await use.pages.headers(tx, workspace, sources);
  const zones = new Map(headers.map(({ id, zone }) => [id, zone ?? OUTERMOST]));
  return new Map(
    [...Map.groupBy(links, ({ targetKey }) => targetKey)].map(([key, said]) => [
      key,
      new Set(said.map(({ source }) => zones.get(source) ?? OUTERMOST)),
    ]),
  );
}

/** The folders that a file is in, the nearest first. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, parts.length - i).join('/'));
}

/** Files of the page that a folder belongs to. */
const notesOf = (folder: string): readonly string[] => [`${folder}.md`, `${folder}.markdown`, `${folder}/`];
