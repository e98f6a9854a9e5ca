/** The port to tags across pages. Only live pages are seen. */
import type { PageId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';

export interface TagCount {
  readonly tag: string;
  readonly key: string;
  /** Pages with exactly this tag. */
  readonly pages: number;
  /** Pages with it or one nested in it. */
  readonly nested: number;
}

export interface TagStore {
  /** In order of their folded names, after the given one; with `under` only that one and those nested in it. */
  list(
    scope: ReadScope,
    workspace: WorkspaceId,
    limit: number,
    wish: { readonly under?: string | undefined; readonly after?: string | undefined },
  ): Promise<readonly TagCount[]>;
  /** Pages with the tag or one nested in it, by its folded name, in order of id. */
  pagesWith(scope: ReadScope, workspace: WorkspaceId, key: string): Promise<readonly PageId[]>;
}
