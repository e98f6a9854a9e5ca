/** What of memory there is for whoever asks, in SQL: applied before anything is ranked, counted or cut off. */
import { type RawBuilder, sql } from 'kysely';
import type { ItemFilter, Standing, Viewer } from '../../../domain/memory/ports/memory-store.ts';
import type { WorkspaceId } from '../../../kernel/ids.ts';

type Condition = RawBuilder<unknown>;

const either = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`1 = 0` : sql`(${sql.join(conditions, sql` or `)})`;

const reviewed = sql`(item.tier in ('working', 'episodic') or item.lifecycle = 'canonical')`;

export function visibleTo({ principal, project, threads, reviews }: Viewer): Condition {
  const places = [
    sql`item.scope = 'workspace'`,
    reviews
      ? sql`item.scope in ('project', 'agent')`
      : sql`(item.scope = 'agent' and item.scope_key = ${principal})`,
    ...(project === null ? [] : [sql`(item.scope = 'project' and item.scope_key = ${project})`]),
    ...(threads.length === 0
      ? []
      : [sql`(item.scope = 'thread' and item.scope_key in (${sql.join(threads)}))`]),
  ];
  const decided = reviews ? [] : [sql` and (${reviewed} or item.owner_id = ${principal})`];
  return sql`${either(places)}${sql.join(decided, sql``)}`;
}

const ended = (at: number): Condition => sql`(item.valid_to <= ${at} or item.ended_at <= ${at})`;

function standsAs(standing: Standing, at: number): Condition {
  switch (standing) {
    case 'in-force':
      return sql`(item.trashed_at is null and ${reviewed} and item.valid_from <= ${at}
        and (item.valid_to is null or item.valid_to > ${at}) and (item.ended_at is null or item.ended_at > ${at}))`;
    case 'ended':
      return sql`(item.trashed_at is null and ${reviewed} and ${ended(at)})`;
    case 'candidate':
      return sql`(item.trashed_at is null and not ${reviewed})`;
    case 'trashed':
      return sql`item.trashed_at is not null`;
  }
}

export function itemConditions(workspace: WorkspaceId, filter: ItemFilter): Condition {
  const conditions = [
    sql`item.workspace_id = ${workspace}`,
    filter.tiers.length === 0 ? sql`1 = 0` : sql`item.tier in (${sql.join(filter.tiers)})`,
    visibleTo(filter.viewer),
    either(filter.standing.map((standing) => standsAs(standing, filter.at))),
    ...(filter.observedSince === undefined ? [] : [sql`item.observed_at >= ${filter.observedSince}`]),
    ...(filter.observedBefore === undefined ? [] : [sql`item.observed_at < ${filter.observedBefore}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** Which of the standings an item has, for counting. */
export const standingOf = (at: number): Condition => sql`case
  when item.trashed_at is not null then 'trashed'
  when not ${reviewed} then 'candidate'
  when ${ended(at)} then 'ended' else 'in-force' end`;
