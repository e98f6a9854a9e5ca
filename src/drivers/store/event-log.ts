/** The workspace log in SQL. Its numbers come from the workspace's own row, so they have no gaps and no races. */
import type { EventLog, WorkspaceEvent } from '../../domain/workspace/ports/event-log.ts';
import type { PageId } from '../../kernel/ids.ts';
import type { EntityVersion, Origin } from '../../kernel/submission.ts';
import { inPieces } from './chunks.ts';
import { fixedQuery } from './fixed-query.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

export const eventLog: EventLog = {
  async append(tx, workspace, actor, at, events) {
    const db = writing(tx);
    const { sequence } = await db
      .updateTable('workspace')
      .set((row) => ({ sequence: row('sequence', '+', events.length) }))
      .where('id', '=', workspace)
      .returning('sequence')
      .executeTakeFirstOrThrow();
    const change = sequence - events.length + 1;
    const rows = events.map((event, i) => ({
      workspace_id: workspace,
      sequence: change + i,
      at,
      kind: event.kind,
      page_id: event.page,
      call_id: actor.call,
      run_id: actor.run,
      principal_id: actor.principal,
      principal_name: actor.principalName,
      tool: actor.tool,
      origin: actor.origin,
      before_version: event.beforeVersion,
      after_version: event.afterVersion,
      change,
      details: JSON.stringify(event.details),
    }));
    await inPieces(rows, async (piece) => {
      await db
        .insertInto('event')
        .values([...piece])
        .execute();
      return [];
    });
    const sources = events.flatMap((event, i) =>
      (event.sources ?? []).map((source) => ({
        workspace_id: workspace,
        sequence: change + i,
        page_id: event.page ?? '',
        source_kind: source.kind,
        source_id: source.id,
        source_version: source.version,
      })),
    );
    await inPieces(sources, async (piece) => {
      await db
        .insertInto('page_source')
        .values([...piece])
        .execute();
      return [];
    });
    return change;
  },

  async ofPage(scope, page, limit, before) {
    let query = reading(scope).selectFrom('event').selectAll().where('page_id', '=', page);
    if (before !== undefined) query = query.where('sequence', '<', before);
    const rows = await query.orderBy('sequence', 'desc').limit(limit).execute();
    return rows.map(toEvent);
  },

  async newest(scope, workspace) {
    const row = await reading(scope)
      .selectFrom('workspace')
      .select('sequence')
      .where('id', '=', workspace)
      .executeTakeFirst();
    return row?.sequence ?? 0;
  },

  async ofWorkspace(scope, workspace, limit, after) {
    const rows = await reading(scope)
      .selectFrom('event')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute();
    return rows.map(toEvent);
  },

  async matching(scope, workspace, { page, run, caller, kinds, since }, limit, before) {
    let query = reading(scope).selectFrom('event').selectAll().where('workspace_id', '=', workspace);
    if (page !== undefined) query = query.where('page_id', '=', page);
    if (run !== undefined) query = query.where('run_id', '=', run);
    if (caller !== undefined) query = query.where('principal_name', '=', caller);
    if (kinds !== undefined) query = query.where('kind', 'in', kinds);
    if (since !== undefined) query = query.where('at', '>=', since);
    if (before !== undefined) query = query.where('sequence', '<', before);
    const rows = await query.orderBy('sequence', 'desc').limit(limit).execute();
    return rows.map(toEvent);
  },

  async spanOfRun(scope, workspace, run) {
    const row = await reading(scope)
      .selectFrom('event')
      .select(({ fn }) => [
        fn.min('sequence').as('first'),
        fn.max('sequence').as('last'),
        fn.min('at').as('started'),
        fn.max('at').as('ended'),
      ])
      .where('workspace_id', '=', workspace)
      .where('run_id', '=', run)
      .executeTakeFirst();
    // Without events there is a row of nothing.
    if (!row || row.first === null) return undefined;
    const [from, through] = [Number(row.first), Number(row.last)];
    return { from, through, startedAt: Number(row.started), endedAt: Number(row.ended) };
  },

  async ofChange(scope, workspace, change) {
    const rows = await reading(scope)
      .selectFrom('event')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('change', '=', change)
      .orderBy('sequence')
      .execute();
    return rows.map(toEvent);
  },

  async lastTextChanges(scope, pages) {
    const rows = await inPieces(pages, (piece) =>
      reading(scope)
        .selectFrom('event')
        .select(['page_id', (row) => row.fn.max('sequence').as('last')])
        .where('page_id', 'in', piece)
        .where((is) =>
          is.or([is('before_version', 'is', null), is('before_version', '!=', is.ref('after_version'))]),
        )
        .groupBy('page_id')
        .execute(),
    );
    return new Map(rows.map((row) => [row.page_id as PageId, Number(row.last)]));
  },

  async hasVersion(scope, page, version) {
    const row = await reading(scope)
      .selectFrom('event')
      .select('sequence')
      .where('page_id', '=', page)
      .where('after_version', '=', version)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  async withVersion(scope, page, version) {
    const row = await reading(scope)
      .selectFrom('event')
      .selectAll()
      .where('page_id', '=', page)
      .where('after_version', '=', version)
      .where((is) =>
        is.or([is('before_version', 'is', null), is('before_version', '!=', is.ref('after_version'))]),
      )
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && toEvent(row);
  },

  async sourcesOfEvents(scope, workspace, sequences) {
    const rows = await inPieces(sequences, (piece) =>
      reading(scope)
        .selectFrom('page_source')
        .selectAll()
        .where('workspace_id', '=', workspace)
        .where('sequence', 'in', piece)
        .orderBy('source_id')
        .execute(),
    );
    const byEvent = Map.groupBy(rows, (row) => row.sequence);
    return new Map(
      [...byEvent].map(([sequence, some]) => [
        sequence,
        some.map((row): EntityVersion => ({ kind: 'page', id: row.source_id, version: row.source_version })),
      ]),
    );
  },

  async sourcesOf(scope, page, upTo = Number.MAX_SAFE_INTEGER) {
    const rows = await newestSources(scope, page, page, upTo);
    return rows.map(
      (row): EntityVersion => ({ kind: 'page', id: row.source_id, version: row.source_version }),
    );
  },
};

const newestSources = fixedQuery((db, page: PageId, same: PageId, upTo: number) =>
  db
    .selectFrom('page_source')
    .select(['source_id', 'source_version'])
    .where('source_kind', '=', 'page')
    .where('page_id', '=', page)
    .where('sequence', '=', (inner) =>
      inner
        .selectFrom('page_source as newest')
        .select((row) => row.fn.max('newest.sequence').as('sequence'))
        .where('newest.page_id', '=', same)
        .where('newest.sequence', '<=', upTo),
    )
    .orderBy('source_id'),
);

function toEvent(row: Database['event']): WorkspaceEvent {
  return {
    sequence: row.sequence,
    change: row.change,
    at: row.at,
    kind: row.kind as WorkspaceEvent['kind'],
    page: row.page_id as PageId | null,
    call: row.call_id,
    run: row.run_id,
    principal: row.principal_id,
    principalName: row.principal_name,
    tool: row.tool,
    origin: row.origin as Origin,
    beforeVersion: row.before_version,
    afterVersion: row.after_version,
    details: JSON.parse(row.details),
  };
}
