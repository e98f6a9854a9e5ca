/** The tags of a workspace with how many pages have them. */
import { z } from 'zod';
import type { WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import type { WorkspaceMeans } from '../means.ts';
import { nameKey } from '../names.ts';
import type { TagCount } from '../ports/tag-store.ts';
import { withoutHash } from './tag-page.ts';

const place = z.object({ after: z.string() });

export async function listTags(
  use: Pick<WorkspaceMeans, 'tags'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: { readonly under?: string | undefined; readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly tags: readonly TagCount[]; readonly nextCursor?: string }> {
  const after = wish.cursor === undefined ? undefined : readCursor(wish.cursor, place).after;
  const under = wish.under === undefined ? undefined : nameKey(withoutHash(wish.under));
  const found = await use.tags.list(scope, workspace, wish.limit + 1, { under, after });
  const tags = found.slice(0, wish.limit);
  const more = found.length > tags.length;
  return { tags, ...(more && { nextCursor: writeCursor({ after: tags.at(-1)?.key }) }) };
}
