/** Files that lie elsewhere than they were agreed to: the same bytes, or the same file, under a path nobody knew. */
import { basename } from 'node:path';
import type { Listing } from './listing.ts';
import type { Scan, SeenFile } from './scan-folder.ts';
import type { Agreement, TiedPage } from './side-file.ts';

/** For each page whose file was moved, where it is now. */
export function findMoves(
  agreed: Agreement,
  scan: Scan,
  listing: Listing,
  given: { readonly known: ReadonlySet<string>; readonly stuck: ReadonlySet<string> },
): ReadonlyMap<string, SeenFile> {
  const others = new Set([...listing.pages.values()].map(({ path }) => path));
  const fresh = [...scan.files.values()].filter(({ path, isNote }) => isNote && !given.known.has(path));
  const byDigest = Map.groupBy(fresh, ({ digest }) => digest);
  const byInode = new Map(fresh.map((file) => [file.look.inode, file]));
  const taken = new Set<SeenFile>();
  const moves = new Map<string, SeenFile>();
  for (const [id, tied] of agreed.pages) {
    const { path } = tied;
    if (scan.files.has(path) || scan.isUnknown(path) || given.stuck.has(id)) continue;
    // A note that left its folder behind: the folder keeps the page, the file is a new one.
    if (scan.holds(`${path.replace(/\.[^./]+$/, '')}/`)) continue;
    const own = listing.pages.get(id)?.path;
    const isFree = (file: SeenFile): boolean =>
      !taken.has(file) && (file.path === own || !others.has(file.path));
    const found = pick(tied, (byDigest.get(tied.digest) ?? []).filter(isFree), byInode);
    if (!found || !isFree(found)) continue;
    taken.add(found);
    moves.set(id, found);
  }
  return moves;
}

/** Nothing is the text of many files, so it proves nothing. */
const EMPTY = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function pick(
  { path, digest, look }: TiedPage,
  alike: readonly SeenFile[],
  byInode: ReadonlyMap<string, SeenFile>,
): SeenFile | undefined {
  const same = look && byInode.get(look.inode);
  const named = alike.find((file) => basename(file.path) === basename(path));
  return same ?? named ?? (digest === EMPTY ? undefined : alike[0]);
}
