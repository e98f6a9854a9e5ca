/** Lays folder and workspace beside each other and decides for each file and page. Changes nothing. */
import { isIgnored } from '../walk-folder.ts';
import { decideFile, decidePage, type FileDecision, type PageDecision } from './decide.ts';
import { findMoves } from './find-moves.ts';
import type { ListedPage, Listing } from './listing.ts';
import type { Scan, SeenFile } from './scan-folder.ts';
import type { Agreement, TiedFile, TiedPage } from './side-file.ts';

export interface PageWork {
  readonly decision: PageDecision;
  readonly id: string | undefined;
  readonly tied: TiedPage | undefined;
  readonly file: SeenFile | undefined;
  readonly page: ListedPage | undefined;
}

export interface FileWork {
  readonly decision: FileDecision;
  readonly path: string;
  readonly tied: TiedFile | undefined;
  readonly file: SeenFile | undefined;
  /** What the workspace has there. */
  readonly digest: string | undefined;
}

export interface Comparison {
  readonly pages: readonly PageWork[];
  readonly files: readonly FileWork[];
}

export interface CompareOptions {
  /** Also pages that nobody accepted yet. */
  readonly candidates: boolean;
  /** Pages whose files are not taken as moved any more, because the workspace refused it. */
  readonly stuck: ReadonlySet<string>;
}

export function compare(
  agreed: Agreement,
  scan: Scan,
  listing: Listing,
  { candidates, stuck }: CompareOptions,
): Comparison {
  const noteAt = (path: string): SeenFile | undefined => {
    const file = scan.files.get(path);
    return file?.isNote ? file : undefined;
  };
  const known = new Set([...agreed.pages.values()].map(({ path }) => path));
  const moves = findMoves(agreed, scan, listing, { known, stuck });
  const spoken = new Set([...known, ...[...moves.values()].map(({ path }) => path)]);
  const pages: PageWork[] = [];
  const add = (work: Omit<PageWork, 'decision'>): void => {
    pages.push({ ...work, decision: decidePage(work.tied, work.file, work.page) });
  };
  for (const [id, tied] of agreed.pages) {
    const file = moves.get(id) ?? noteAt(tied.path);
    if (!file && scan.isUnknown(tied.path)) continue;
    const page = listing.pages.get(id);
    if (page && isUnseen(page.path)) continue;
    add({ id, tied, file, page });
    // Two names of one file: a move of ours that was killed half way.
    const half = page && page.path !== file?.path ? noteAt(page.path) : undefined;
    if (half && half.look.inode === file?.look.inode) spoken.add(half.path);
  }
  for (const page of listing.pages.values()) {
    if (agreed.pages.has(page.id) || scan.isUnknown(page.path) || isUnseen(page.path)) continue;
    if (page.lifecycle === 'candidate' && !candidates) continue;
    const file = spoken.has(page.path) ? undefined : noteAt(page.path);
    if (file) spoken.add(file.path);
    add({ id: page.id, tied: undefined, file, page });
  }
  for (const file of scan.files.values())
    if (file.isNote && !spoken.has(file.path)) add({ id: undefined, tied: undefined, file, page: undefined });
  return { pages, files: compareFiles(agreed, scan, listing) };
}

function compareFiles(agreed: Agreement, scan: Scan, listing: Listing): readonly FileWork[] {
  const work: FileWork[] = [];
  const paths = new Set([...agreed.files.keys(), ...listing.files.keys()]);
  for (const { path, isNote } of scan.files.values()) if (!isNote) paths.add(path);
  for (const path of paths) {
    if (scan.isUnknown(path) || isUnseen(path)) continue;
    const seen = scan.files.get(path);
    const file = seen?.isNote === false ? seen : undefined;
    const [tied, digest] = [agreed.files.get(path), listing.files.get(path)];
    const decision = decideFile(tied?.digest, file?.digest, digest);
    work.push({ decision, path, tied, file, digest });
  }
  return work;
}

/** A scan would not see a file there, and then take it for deleted. */
const isUnseen = (path: string): boolean =>
  path.includes('\uFFFD') || path.split('/').some((part) => isIgnored(part));
