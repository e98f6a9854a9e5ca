/** The tree of pages, in order, as far as a budget goes; the rest follows by cursor without repeating or skipping. */
import { z } from 'zod';
import { invalidInput } from '../../kernel/errors.ts';
import type { PageId, WorkspaceId } from '../../kernel/ids.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { findPage } from './find-page.ts';
import type { WorkspaceMeans } from './means.ts';
import { type Ancestor, type PageHeader, pathOf } from './page.ts';
import { estimateTokens } from './token-budget.ts';

export interface TreeNode {
  readonly id: PageId;
  readonly title: string;
  readonly slug: string;
  readonly path: string;
  readonly icon?: string;
  readonly lifecycle: string;
  /** How many pages lie directly below, whether shown or not. */
  readonly child_count: number;
  readonly children: TreeNode[];
}

export interface TreeWish {
  readonly root?: string | undefined;
  /** How many levels; 1 = only the topmost. */
  readonly depth: number;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

type Means = Pick<WorkspaceMeans, 'pages'>;

const PAGE = 100;
const place = z.object({ after: z.string() });

export async function pageTree(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: TreeWish,
): Promise<{ readonly tree: readonly TreeNode[]; readonly nextCursor?: string }> {
  const root = wish.root === undefined ? undefined : await findPage(use, scope, workspace, wish.root, 'root');
  const above = root ? ((await use.pages.ways(scope, [root.id])).get(root.id) ?? []) : [];
  const after = wish.cursor === undefined ? undefined : (readCursor(wish.cursor, place).after as PageId);
  const walk = walkTree(use, scope, workspace, root, above, wish.depth, after);
  const shown: Shown[] = [];
  let tokens = 0;
  let last: PageId | undefined;
  for await (const found of walk) {
    tokens += estimateTokens(found.page.title) + estimateTokens(pathOf(found.way)) + 40;
    if (last !== undefined && tokens > wish.maxTokens) {
      return { tree: await nest(use, scope, workspace, shown), nextCursor: writeCursor({ after: last }) };
    }
    shown.push(found);
    last = found.page.id;
  }
  return { tree: await nest(use, scope, workspace, shown) };
}

interface Shown {
  readonly page: PageHeader;
  readonly way: readonly Ancestor[];
}

/** Parents before children, siblings in order, beginning after a page that was shown before. */
async function* walkTree(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  root: PageHeader | undefined,
  above: readonly Ancestor[],
  depth: number,
  after: PageId | undefined,
): AsyncGenerator<Shown> {
  const base = above.length;
  async function* below(parent: readonly Ancestor[], from?: PageHeader): AsyncGenerator<Shown> {
    if (parent.length - base >= depth) return;
    let last = from;
    for (;;) {
      const children = await use.pages.children(scope, workspace, parent.at(-1)?.id ?? null, PAGE, last);
      for (const page of children) {
        const way = [...parent, page];
        yield { page, way };
        yield* below(way);
      }
      last = children.at(-1);
      if (children.length < PAGE) return;
    }
  }
  if (after === undefined) {
    yield* below(above);
    return;
  }
  const way = (await use.pages.ways(scope, [after])).get(after) ?? [];
  if (way.length <= base || way.slice(0, base).some((step, i) => step.id !== above[i]?.id))
    throw noPlace(root);
  yield* below(way);
  for (let level = way.length; level > base; level -= 1) {
    const [step] = await use.pages.headers(scope, workspace, [(way[level - 1] as Ancestor).id]);
    if (!step) throw noPlace(root);
    yield* below(way.slice(0, level - 1), step);
  }
}

const noPlace = (root: PageHeader | undefined): Error =>
  invalidInput(
    'cursor',
    `points at a page that is not ${root ? `below "${root.title}"` : 'in the tree'} any more`,
  );

async function nest(
  use: Means,
  scope: ReadScope,
  workspace: WorkspaceId,
  shown: readonly Shown[],
): Promise<readonly TreeNode[]> {
  const counts = await use.pages.childCounts(
    scope,
    workspace,
    shown.map(({ page }) => page.id),
  );
  const nodes = new Map<PageId, TreeNode>();
  const tops: TreeNode[] = [];
  for (const { page, way } of shown) {
    const node: TreeNode = {
      id: page.id,
      title: page.title,
      slug: page.slug,
      path: pathOf(way),
      ...(page.icon !== null && { icon: page.icon }),
      lifecycle: page.lifecycle,
      child_count: counts.get(page.id) ?? 0,
      children: [],
    };
    nodes.set(page.id, node);
    const parent = page.parent === null ? undefined : nodes.get(page.parent);
    (parent?.children ?? tops).push(node);
  }
  return tops;
}
