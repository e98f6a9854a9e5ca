/** The workspace as files, through the tools: what a synced folder is compared with. */
import { partsOf } from '../answer-parts.ts';
import type { CallTool } from '../import-folder.ts';

export interface ListedPage {
  readonly id: string;
  readonly path: string;
  readonly version: string;
  readonly lifecycle: string;
}

export interface Listing {
  readonly workspace: string;
  readonly change: number;
  readonly pages: ReadonlyMap<string, ListedPage>;
  /** Attachments: digests by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** A list of many parts is taken as one if nothing changed meanwhile; after so many tries as it comes. */
const TRIES = 3;

export async function listWorkspace(call: CallTool): Promise<Listing> {
  for (let n = 1; ; n += 1) {
    const { first, ...listing } = await listOnce(call);
    if (first === listing.change || n === TRIES) return listing;
  }
}

async function listOnce(call: CallTool): Promise<Listing & { readonly first: number }> {
  const pages = new Map<string, ListedPage>();
  let workspace = '';
  const changes: number[] = [];
  for await (const part of partsOf(call, 'list_page_files')) {
    const { files, ...rest } = part as unknown as PagesPart;
    workspace = rest.workspace;
    changes.push(rest.change);
    for (const { page: id, ...file } of files) pages.set(id, { id, ...file });
  }
  const files = new Map<string, string>();
  for await (const part of partsOf(call, 'list_attachments'))
    for (const file of part.files as { full_path: string; digest: string }[])
      files.set(file.full_path, file.digest);
  return { workspace, change: changes.at(-1) ?? 0, first: changes[0] ?? 0, pages, files };
}

interface PagesPart {
  readonly workspace: string;
  readonly change: number;
  readonly files: readonly { page: string; path: string; version: string; lifecycle: string }[];
}
