/** New episodes: one for a thread that fell silent, one for a run that ended, one for a day or week long past. */
import type { PageId, PrincipalId, WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Submission } from '../../../kernel/submission.ts';
import type { WorkspaceEvent } from '../../workspace/ports/event-log.ts';
import { makeItem } from '../make-item.ts';
import type { MemoryMeans } from '../means.ts';
import type { ItemKind, MemoryItem } from '../memory-item.ts';
import type { UntoldRun } from '../ports/memory-store.ts';
import { describeRun } from './describe-run.ts';
import { summarize, trustOf } from './summarize.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const THREAD_IDLE_MS = 24 * HOUR_MS;
const RUN_IDLE_MS = HOUR_MS / 2;
const RAW_MS = 90 * DAY_MS;
const DAILY_MS = 365 * DAY_MS;

const THREADS_AT_ONCE = 50;
const RUNS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 10_000;
const EPISODES_AT_ONCE = 500;

/** What upkeep looks at: a workspace, or only what one principal keeps in it. */
export interface Range {
  readonly scope: ReadScope;
  readonly workspace: WorkspaceId;
  readonly submission: Submission;
  readonly owner: PrincipalId | undefined;
}

/** An episode that takes the place of others. */
export interface Summary {
  readonly item: MemoryItem;
  readonly replaces: readonly MemoryItem[];
}

export async function planThreads(use: MemoryMeans, range: Range): Promise<readonly Summary[]> {
  const { scope, workspace, submission, owner } = range;
  const since = submission.at - THREAD_IDLE_MS;
  const summaries: Summary[] = [];
  for (const thread of await use.memory.idleThreads(scope, workspace, since, owner, THREADS_AT_ONCE)) {
    const items = (await use.memory.ofThread(scope, workspace, thread)).toReversed();
    const texts = items.map(({ name, body }) => (name === null ? body : `${name}: ${body}`));
    const body = summarize('A thread ended. It had in mind:', texts);
    const { item, replaces } = summaryOf(use, submission, 'thread', body, items);
    summaries.push({ item: { ...item, events: await eventsDuring(use, range, items) }, replaces });
  }
  return summaries;
}

/** What the runs of a thread did to the workspace while it lasted, from the first to the last of it. */
async function eventsDuring(
  use: Pick<MemoryMeans, 'events'>,
  { scope, workspace }: Range,
  items: readonly MemoryItem[],
): Promise<MemoryItem['events']> {
  const spans = [];
  for (const run of new Set(items.map((item) => item.run))) {
    const span = await use.events.spanOfRun(scope, workspace, run);
    if (span) spans.push(span);
  }
  if (spans.length === 0) return null;
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    through: Math.max(...spans.map(({ through }) => through)),
  };
}

/** Each once. What something was made from is also what it may be known from. */
const sourcesOf = (items: readonly MemoryItem[]): readonly EntityVersion[] => [
  ...new Map(items.flatMap(({ sources }) => sources).map((source) => [source.id, source])).values(),
];

export async function planDays(
  use: MemoryMeans,
  range: Range,
  kept: ReadonlySet<string>,
): Promise<readonly Summary[]> {
  const { scope, workspace, submission, owner } = range;
  const old = async (kinds: readonly ItemKind[], ms: number): Promise<readonly MemoryItem[]> =>
    (
      await use.memory.oldEpisodes(scope, workspace, kinds, submission.at - ms, owner, EPISODES_AT_ONCE)
    ).filter(({ id }) => !kept.has(id));
  const raw = await old(['note', 'run', 'thread'], RAW_MS);
  const daily = await old(['daily'], DAILY_MS);
  return [
    ...groups(raw, DAY_MS).map((items) => summaryOf(use, submission, 'daily', periodText(items), items)),
    ...groups(daily, 7 * DAY_MS).map((items) =>
      summaryOf(use, submission, 'weekly', periodText(items), items),
    ),
  ];
}

const groups = (items: readonly MemoryItem[], periodMs: number): readonly MemoryItem[][] => [
  ...Map.groupBy(items, ({ observedAt, scope, scopeKey, owner }) =>
    JSON.stringify([Math.floor(observedAt / periodMs), scope, scopeKey, owner]),
  ).values(),
];

function periodText(items: readonly MemoryItem[]): string {
  const days = items.map(({ observedAt }) => new Date(observedAt).toISOString().slice(0, 10));
  const [first, last] = [days[0], days.at(-1)];
  return summarize(
    first === last ? `On ${first}:` : `From ${first} to ${last}:`,
    items.flatMap(({ kind, body }) => (kind === 'daily' ? body.split('\n- ').slice(1) : [body])),
  );
}

/** It belongs to whoever the summed up belonged to, and is trusted no more than they were. */
function summaryOf(
  use: MemoryMeans,
  submission: Submission,
  kind: ItemKind,
  body: string,
  replaces: readonly MemoryItem[],
): Summary {
  const newest = replaces.reduce((one, other) => (other.updatedAt > one.updatedAt ? other : one));
  const place =
    newest.scope === 'thread' ? { scope: 'agent' as const, scopeKey: newest.owner as string } : newest;
  const observedAt = Math.max(
    ...replaces.map((item) => (kind === 'thread' ? item.updatedAt : item.observedAt)),
  );
  const item = makeItem(
    use,
    submission,
    { tier: 'episodic', body },
    {
      kind,
      scope: place.scope,
      scopeKey: place.scopeKey,
      owner: newest.owner,
      ownerName: newest.ownerName,
      ownerKind: newest.ownerKind,
      run: newest.run,
      sources: sourcesOf(replaces),
      observedAt,
      validFrom: observedAt,
      ...trustOf(replaces),
    },
  );
  return { item, replaces };
}

export interface ToldRuns {
  readonly episodes: readonly MemoryItem[];
  readonly told: readonly UntoldRun[];
  /** Everything up to there is told. */
  readonly through: number;
}

export async function planRuns(use: MemoryMeans, { scope, workspace, submission }: Range): Promise<ToldRuns> {
  const { through, runs } = await use.memory.untoldRuns(scope, workspace, EVENTS_AT_ONCE);
  const told = runs.filter(({ lastAt }) => lastAt < submission.at - RUN_IDLE_MS).slice(0, RUNS_AT_ONCE);
  const open = runs.filter((run) => !told.includes(run));
  const events = await eventsOf(use, scope, workspace, told);
  const pages = [
    ...new Set([...events.values()].flat().flatMap(({ page }) => (page === null ? [] : [page]))),
  ];
  const titles = new Map<PageId, string>(
    (await use.pages.headers(scope, workspace, pages)).map((page) => [page.id, page.title]),
  );
  const episodes = told.flatMap(({ run, from, through: last, lastAt }) => {
    const own = events.get(run) ?? [];
    return own.length === 0
      ? []
      : [runEpisode(use, submission, own, describeRun(own, titles), { from, through: last }, lastAt)];
  });
  return { episodes, told, through: Math.min(through, ...open.map(({ from }) => from - 1)) };
}

function runEpisode(
  use: MemoryMeans,
  submission: Submission,
  events: readonly WorkspaceEvent[],
  body: string,
  of: MemoryItem['events'],
  lastAt: number,
): MemoryItem {
  const [first] = events as [WorkspaceEvent];
  const authored = events.every(({ origin }) => origin === 'authored');
  const imported = events.some(({ origin }) => origin === 'imported');
  return makeItem(
    use,
    submission,
    { tier: 'episodic', body },
    {
      kind: 'run',
      scope: 'agent',
      scopeKey: first.principal,
      owner: first.principal as PrincipalId,
      ownerName: first.principalName,
      run: first.run,
      sources: [],
      events: of,
      origin: authored ? 'authored' : imported ? 'imported' : 'agent-produced',
      lifecycle: authored ? 'canonical' : imported ? 'draft' : 'candidate',
      observedAt: lastAt,
      validFrom: lastAt,
    },
  );
}

/** Only what happened to pages, run by run. */
async function eventsOf(
  use: MemoryMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  runs: readonly UntoldRun[],
): Promise<ReadonlyMap<string, readonly WorkspaceEvent[]>> {
  if (runs.length === 0) return new Map();
  const wanted = new Map(runs.map((run) => [run.run, run]));
  const end = Math.max(...runs.map(({ through }) => through));
  const found: WorkspaceEvent[] = [];
  let after = Math.min(...runs.map(({ from }) => from)) - 1;
  while (after < end) {
    const page = await use.events.ofWorkspace(scope, workspace, 1_000, after);
    if (page.length === 0) break;
    after = page.at(-1)?.sequence ?? end;
    for (const event of page) {
      const run = wanted.get(event.run);
      if (
        run &&
        event.sequence >= run.from &&
        event.sequence <= run.through &&
        !event.kind.startsWith('memory')
      )
        found.push(event);
    }
  }
  return Map.groupBy(found, ({ run }) => run);
}
