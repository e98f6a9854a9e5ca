/** The tree, the names and the trash hold together. */
import { deriveMetadata } from '../../../src/domain/workspace/derive-metadata.ts';
import type { Dialect } from '../../../src/domain/workspace/markdown/dialect.ts';
import { nameKey } from '../../../src/domain/workspace/names.ts';
import type { Snapshot } from './snapshot.ts';

export function* checkTree(all: Snapshot): Generator<string> {
  const byId = new Map(all.pages.map((page) => [page.id, page]));
  const taken = new Map<string, string>();
  const granted = new Set(all.grants.map((grant) => grant.page_id));
  for (const page of all.pages) {
    const name = `page ${page.id} "${page.title}"`;
    const parent = page.parent_id === null ? undefined : byId.get(page.parent_id);
    if (page.parent_id !== null && parent?.workspace_id !== page.workspace_id)
      yield `${name} has a parent that is not in its workspace`;
    if (page.trash_batch === null && parent && parent.trash_batch !== null)
      yield `${name} lives below a trashed page`;
    const above = new Set([page.id]);
    for (let at = parent; at; at = at.parent_id === null ? undefined : byId.get(at.parent_id)) {
      if (above.has(at.id)) {
        yield `${name} lies in a circle`;
        break;
      }
      above.add(at.id);
    }
    const zone = granted.has(page.id) ? page.id : (parent?.zone ?? null);
    if (page.zone !== zone) yield `${name} lies in the zone ${page.zone} instead of ${zone}`;
    if (page.slug_key !== nameKey(page.slug) || page.title_key !== nameKey(page.title))
      yield `${name} has stale keys`;
    if (page.trash_batch === null) {
      for (const [what, value] of [
        // Where one is hidden from who sees the other, both may have it.
        ['slug', `${page.zone ?? ''} ${page.slug_key}`],
        ['position', page.position],
      ] as const) {
        const place = JSON.stringify([page.workspace_id, page.parent_id, what, value]);
        const other = taken.get(place);
        if (other !== undefined) yield `${name} has the ${what} of its sibling ${other}`;
        taken.set(place, page.id);
      }
    }
    yield* checkSideTables(all, page, name);
  }
  yield* checkTrash(all);
}

function* checkSideTables(all: Snapshot, page: Snapshot['pages'][number], name: string): Generator<string> {
  const keys = (rows: readonly string[]): string => JSON.stringify([...new Set(rows)].sort());
  yield* checkDerived(all, page, name);
  const tags = all.tags.filter((row) => row.page_id === page.id).map((row) => row.tag_key);
  if (keys(tags) !== keys((JSON.parse(page.tags) as string[]).map(nameKey)))
    yield `${name} has other tags than its row says`;
  const kept = all.properties.filter((row) => row.page_id === page.id).map((row) => row.key);
  if (keys(kept) !== keys(Object.keys(JSON.parse(page.properties) as object)))
    yield `${name} has other properties than its row says`;
  for (const alias of all.aliases.filter((row) => row.page_id === page.id))
    if (alias.alias_key !== nameKey(alias.alias) || alias.workspace_id !== page.workspace_id)
      yield `${name} has a wrong alias "${alias.alias}"`;
}

/** What the page's own text says is kept as such, unless somebody set the same. */
function* checkDerived(all: Snapshot, page: Snapshot['pages'][number], name: string): Generator<string> {
  if (page.trash_batch !== null) return;
  const derived = deriveMetadata(page.content, (page.dialect ?? 'obsidian') as Dialect);
  const compare = (what: string, rows: readonly { key: string; derived: number }[], wanted: string[]) => {
    const own = new Set(rows.filter((row) => row.derived === 0).map((row) => row.key));
    const kept = new Set(rows.filter((row) => row.derived === 1).map((row) => row.key));
    const said = new Set(wanted.filter((key) => !own.has(key)));
    const left = [...kept].filter((key) => !own.has(key));
    return new Set(left).symmetricDifference(said).size === 0 ? [] : [`${name}: its text says other ${what}`];
  };
  const own = <T extends { page_id: string }>(rows: readonly T[]): T[] =>
    rows.filter((row) => row.page_id === page.id);
  const tags = own(all.tags).map((row) => ({ key: row.tag_key, derived: row.derived }));
  yield* compare('tags', tags, derived.tags.map(nameKey));
  const aliases = own(all.aliases).map((row) => ({ key: row.alias_key, derived: row.derived }));
  yield* compare('aliases', aliases, derived.aliases.map(nameKey));
  yield* compare('properties', own(all.properties), Object.keys(derived.properties));
}

function* checkTrash(all: Snapshot): Generator<string> {
  const items = new Set(all.items.map((item) => `${item.batch_id} ${item.page_id}`));
  const batches = new Map(all.batches.map((batch) => [batch.id, batch]));
  const left = Map.groupBy(all.pages, (page) => page.trash_batch);
  for (const [id, pages] of left) {
    if (id === null) continue;
    const batch = batches.get(id);
    if (!batch) yield `trash batch ${id} does not exist`;
    else if (batch.restored_at !== null)
      yield `trash batch ${id} was restored, but pages of it are in the trash`;
    for (const page of pages)
      if (!items.has(`${id} ${page.id}`))
        yield `page ${page.id} is in the trash, but its batch does not know where it was`;
  }
  for (const batch of all.batches) {
    if (batch.restored_at === null && !left.has(batch.id))
      yield `trash batch ${batch.id} is empty and not restored`;
    const purged = all.events.some(
      (event) => event.kind === 'page_purged' && event.page_id === batch.root_id,
    );
    if (!items.has(`${batch.id} ${batch.root_id}`) && !purged)
      yield `trash batch ${batch.id} does not hold its root`;
  }
}
