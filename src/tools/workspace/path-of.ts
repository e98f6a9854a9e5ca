/** The path of one page, for answers. */
import type { WorkspaceMeans } from '../../domain/workspace/means.ts';
import { pathOf as joinWay } from '../../domain/workspace/page.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';

export async function pathOf(use: WorkspaceMeans, scope: ReadScope, page: PageId): Promise<string> {
  return joinWay((await use.pages.ways(scope, [page])).get(page) ?? []);
}
