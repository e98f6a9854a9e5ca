/**
 * What becomes of one file and its page, from what both were when they last agreed. Pure: it only looks. An edit beats
 * a deletion; where both sides moved, the workspace says where, because it has rewritten the links.
 */
export interface Agreed {
  readonly path: string;
  readonly digest: string;
  /** The page's version whose text the file had; none is ever empty. */
  readonly version: string;
}

export interface FileSide {
  readonly path: string;
  readonly digest: string;
}

export interface PageSide {
  readonly path: string;
  readonly version: string;
}

export type PageDecision =
  /** Both are as agreed, wherever they lie. */
  | { readonly do: 'nothing' | 'settle' | 'forget' }
  /** The file's text goes into the page, which is to be at the path. */
  | { readonly do: 'take'; readonly path: string; readonly moved: boolean }
  /** The file becomes a page of its own. */
  | { readonly do: 'create' }
  /** The page's text goes into the file, which is to be at the page's path. */
  | { readonly do: 'write' }
  | { readonly do: 'trash' }
  | { readonly do: 'remove' };

export function decidePage(
  agreed: Agreed | undefined,
  file: FileSide | undefined,
  page: PageSide | undefined,
): PageDecision {
  if (!file && !page) return { do: 'forget' };
  if (!page) return file && file.digest === agreed?.digest ? { do: 'remove' } : { do: 'create' };
  if (!file) return page.version === agreed?.version ? { do: 'trash' } : { do: 'write' };
  if (!agreed) return { do: 'take', path: page.path, moved: false };
  if (file.path !== agreed.path && page.path === agreed.path)
    return { do: 'take', path: file.path, moved: true };
  if (file.digest !== agreed.digest) return { do: 'take', path: page.path, moved: false };
  if (page.version !== agreed.version || page.path !== file.path) return { do: 'write' };
  return { do: file.path === agreed.path ? 'nothing' : 'settle' };
}

export type FileDecision =
  | 'nothing'
  | 'settle'
  | 'forget'
  /** The folder's bytes go into the workspace, or out of it. */
  | 'attach'
  | 'detach'
  /** The workspace's bytes go into the folder, or out of it. */
  | 'write'
  | 'remove'
  /** Both are new; the folder's are kept beside. */
  | 'conflict';

/** The same for a file that is no note: digests all three. */
export function decideFile(
  agreed: string | undefined,
  file: string | undefined,
  attachment: string | undefined,
): FileDecision {
  if (file === attachment) {
    if (file === undefined) return 'forget';
    return file === agreed ? 'nothing' : 'settle';
  }
  if (file === undefined) return attachment === agreed ? 'detach' : 'write';
  if (attachment === undefined) return file === agreed ? 'remove' : 'attach';
  if (attachment === agreed) return 'attach';
  return file === agreed ? 'write' : 'conflict';
}
