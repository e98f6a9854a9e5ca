/** A workspace against the model of it: as the store has it, and as its tools tell it. */
import { expect } from 'vitest';
import type { SluiceClient } from '../../src/app/create-sluice.ts';
import { linksOf, type ModelPage, type PageModel } from './page-model.ts';
import type { Random } from './random.ts';
import type { RawDatabase } from './raw-database.ts';

export interface PageRow {
  readonly id: string;
  readonly parent_id: string | null;
  readonly slug: string;
  readonly title: string;
  readonly icon: string | null;
  readonly content: string;
  readonly version: string;
  readonly lifecycle: string;
  readonly origin: string;
  readonly trash_batch: string | null;
  readonly position: string;
}

export const pageRows = (raw: RawDatabase, workspace: string): Promise<PageRow[]> =>
  raw.all<PageRow>(`select * from page where workspace_id = '${workspace}'`);

/** The whole workspace as the store has it, against the model. */
export async function compareWithStore(model: PageModel, raw: RawDatabase, workspace: string): Promise<void> {
  const rows = await pageRows(raw, workspace);
  const shown = rows.map((row) => ({
    id: row.id,
    title: row.title,
    slug: row.slug,
    icon: row.icon,
    parent: row.parent_id,
    content: row.content,
    version: row.version,
    lifecycle: row.lifecycle,
    origin: row.origin,
    batch: row.trash_batch,
  }));
  const wanted = [...model.pages.values()].map(
    ({ texts: _, events: __, aliases: ___, lastMeant: ____, placedAt: _____, ...page }) => page,
  );
  expect(byId(shown)).toEqual(byId(wanted));
  for (const [parent, order] of model.order) {
    const stored = rows
      .filter((row) => (row.parent_id ?? '') === parent && row.trash_batch === null)
      .sort((x, y) => (x.position < y.position ? -1 : 1))
      .map((row) => row.id);
    expect(stored, `children of ${parent === '' ? 'the root' : model.page(parent).title}`).toEqual(order);
  }
  const counts = await raw.all<{ page_id: string; events: number }>(
    `select page_id, count(*) as events from event where workspace_id = '${workspace}' and page_id is not null group by page_id`,
  );
  expect(Object.fromEntries(counts.map((row) => [row.page_id, Number(row.events)]))).toEqual(
    Object.fromEntries([...model.pages.values()].map((page) => [page.id, page.events])),
  );
  const links = Map.groupBy(
    await raw.all<{ source_id: string; status: string; target_id: string | null; path: string }>(
      `select source_id, status, target_id, path from page_link where workspace_id = '${workspace}' order by source_id, ordinal`,
    ),
    (row) => row.source_id,
  );
  for (const [id, settled] of model.settleLinks()) {
    const stored = (links.get(id) ?? []).map(({ status, target_id, path }) => ({
      path,
      status,
      target: target_id,
    }));
    const paths = linksOf(model.page(id).content);
    expect(stored, `links of "${model.page(id).title}"`).toEqual(
      settled.map((one, i) => ({ path: paths[i]?.path ?? '', ...one })),
    );
  }
}

/** At the end of the day, through the tools: the tree, the pages, their links and their histories. */
export async function compareThroughTools(
  model: PageModel,
  author: SluiceClient,
  random: Random,
): Promise<void> {
  for (const page of model.live()) {
    const read = await author.call('read_page', { page: page.id, max_tokens: 20_000 });
    expect(read).toMatchObject({
      title: page.title,
      path: model.path(page),
      content: page.content,
      version: page.version,
      parent: page.parent,
    });
    expect((read.aliases as string[]).toSorted()).toEqual(page.aliases.toSorted());
    const inbound = model
      .live()
      .flatMap((source) =>
        linksOf(source.content).filter(
          ({ kind, path }) => kind === 'page' && meansPage(model, source, path, page.id),
        ),
      );
    expect((await author.call('get_backlinks', { page: page.id })).total).toBe(inbound.length);
    const history = await author.call('get_page_history', { page: page.id, limit: 100 });
    expect((history.events as unknown[]).length).toBe(Math.min(page.events, 100));
    const [version, text] = random.pick([...page.texts]);
    const old = await author.call('read_page', { page: page.id, version, max_tokens: 20_000 });
    expect(old.content).toBe(text);
    expect(await author.call('read_page', { page: model.path(page) })).toMatchObject({ id: page.id });
  }
  expect(await treeOf(author)).toEqual(modelTree(model, null));
}

async function treeOf(author: SluiceClient): Promise<unknown> {
  const { tree } = await author.call('get_page_tree', { depth: 64, max_tokens: 20_000 });
  const plain = (nodes: readonly { id: string; children: never[] }[]): unknown[] =>
    nodes.map(({ id, children }) => [id, plain(children)]);
  return plain(tree as never[]);
}

function modelTree(model: PageModel, parent: string | null): unknown[] {
  return model.siblings(parent).map((id) => [id, modelTree(model, id)]);
}

const byId = <T extends { id: string }>(pages: readonly T[]): T[] =>
  pages.toSorted((x, y) => (x.id < y.id ? -1 : 1));

function meansPage(model: PageModel, source: ModelPage, path: string, target: string): boolean {
  const meaning = model.meaning(source, path);
  return typeof meaning === 'object' && meaning.page === target;
}
