/** What is in the trash, newest batch first, the page that was deleted before those that went with it. */
import { z } from 'zod';
import type { BatchId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { WorkspaceMeans } from './means.ts';
import type { PageHeader } from './page.ts';
import type { TrashBatch } from './ports/trash-store.ts';

const place = z.object({ at: z.number(), id: z.string() });

export async function listTrash(
  use: Pick<WorkspaceMeans, 'trash' | 'pages'>,
  scope: ReadScope,
  workspace: WorkspaceId,
  limit: number,
  cursor?: string,
): Promise<{
  readonly batches: readonly { readonly batch: TrashBatch; readonly pages: readonly PageHeader[] }[];
  readonly nextCursor?: string;
}> {
  const at = cursor === undefined ? undefined : readCursor(cursor, place);
  const before = at && { at: at.at, id: at.id as BatchId };
  const found = await use.trash.list(scope, workspace, limit + 1, before);
  const batches = [];
  for (const batch of found.slice(0, limit)) {
    const pages = await use.pages.trashed(scope, batch.id);
    const rootFirst = [...pages].sort((a, b) => Number(b.id === batch.root) - Number(a.id === batch.root));
    batches.push({ batch, pages: rootFirst });
  }
  const last = batches.at(-1)?.batch;
  const more = found.length > limit && last;
  return { batches, ...(more && { nextCursor: writeCursor({ at: last.at, id: last.id }) }) };
}
