/** The logs of the workspaces have no gaps, begin every page, and go with the audit log. */
import type { Snapshot } from './snapshot.ts';

export function* checkEvents(all: Snapshot): Generator<string> {
  const byWorkspace = Map.groupBy(all.events, (event) => event.workspace_id);
  for (const workspace of all.workspaces) {
    const events = byWorkspace.get(workspace.id) ?? [];
    const name = `workspace "${workspace.name}"`;
    if (events.length !== workspace.sequence)
      yield `${name} has ${events.length} events, its number is ${workspace.sequence}`;
    let change = 0;
    for (const [i, event] of events.entries()) {
      if (event.sequence !== i + 1) yield `${name} has event ${event.sequence} where ${i + 1} should be`;
      if (event.change !== change && event.change !== event.sequence)
        yield `${name}: event ${event.sequence} belongs to the change ${event.change}, which is neither its own nor the last`;
      change = event.change;
    }
    if (events[0] && events[0].kind !== 'workspace_created') yield `${name} begins with ${events[0].kind}`;
  }
  const ofPage = Map.groupBy(all.events, (event) => event.page_id);
  for (const page of all.pages) {
    const events = ofPage.get(page.id) ?? [];
    const created = events.filter((event) => event.kind === 'page_created');
    if (created.length !== 1 || events[0]?.kind !== 'page_created')
      yield `page ${page.id} was created ${created.length} times, its first event is ${events[0]?.kind}`;
    const trashed = events.filter((event) => event.kind === 'page_trashed').length;
    const restored = events.filter((event) => event.kind === 'page_restored').length;
    if (trashed - restored !== (page.trash_batch === null ? 0 : 1))
      yield `page ${page.id} was trashed ${trashed} and restored ${restored} times, it is ${page.trash_batch ?? 'live'}`;
  }
  const purged = all.events.flatMap((event) => (event.kind === 'page_purged' ? (event.page_id ?? []) : []));
  const left = purged.find((id) => all.pages.some((page) => page.id === id));
  if (left !== undefined) yield `page ${left} was purged and is still there`;
  const pages = new Set([...all.pages.map((page) => page.id), ...purged]);
  for (const event of all.events)
    if (event.page_id !== null && !pages.has(event.page_id)) yield `event ${event.sequence} is of no page`;
  for (const source of all.sources)
    if (!pages.has(source.page_id) || !pages.has(source.source_id))
      yield `a source of ${source.page_id} is of no page`;
  yield* checkRecords(all);
}

/** Everything that happened was recorded as a success in the same unit, unless the record was pruned since. */
function* checkRecords(all: Snapshot): Generator<string> {
  const landed = new Set(
    all.audit.filter((record) => record.status === 'success').map((record) => record.call_id),
  );
  const pruned = all.audit.some((record) => record.kind === 'checkpoint');
  if (pruned) return;
  for (const event of all.events)
    if (!landed.has(event.call_id))
      yield `event ${event.sequence} of call ${event.call_id} is in no audit record`;
  const happened = new Set(all.events.map((event) => event.call_id));
  const kept = new Set(all.results.map((result) => result.tool));
  for (const record of all.audit) {
    const writes = record.tool_name === 'create_page' || record.tool_name === 'delete_page';
    // A retry that got the kept answer did nothing itself.
    if (writes && record.status === 'success' && !happened.has(record.call_id) && !kept.has(record.tool_name))
      yield `call ${record.call_id} of ${record.tool_name} was recorded as a success, but nothing happened`;
  }
}
