/** Takes back what a run did to memory: what it wrote is forgotten, what it forgot is there again. */
import { SluiceError } from '../../kernel/errors.ts';
import type { MemoryId } from '../../kernel/ids.ts';
import type { Landing } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import type { EventKind, WorkspaceEvent } from '../workspace/ports/event-log.ts';
import type { OtherChanges } from '../workspace/ports/other-changes.ts';
import { forget } from './forget-items.ts';
import { requireMayChangeItem } from './may-change.ts';
import type { MemoryMeans } from './means.ts';
import type { MemoryItem } from './memory-item.ts';
import { alter } from './update-item.ts';

type TakenBack = Awaited<ReturnType<OtherChanges['takeBack']>>;
type Outcome = 'undone' | 'nothing';

export async function takeBackMemory(
  use: MemoryMeans,
  landing: Landing,
  event: WorkspaceEvent,
  isOwn: (event: WorkspaceEvent) => boolean,
): Promise<TakenBack> {
  if (typeof event.details.memory !== 'string') return undefined;
  const { tx, submission } = landing;
  const workspace = workspaceOf(submission);
  const { scopes } = submission.accepted?.by ?? submission.caller;
  const [item] = await use.memory.find(tx, workspace, [event.details.memory as MemoryId]);
  if (!item) throw kept('the memory is gone for good');
  if (!scopes.has('memory.write')) throw kept('memory is taken back by who may write it');
  const undo = TAKERS[event.kind];
  if (!undo) throw kept(REASONS[event.kind] ?? 'it is not taken back with a run');
  const other = await changedSince(use, landing, item, event, isOwn);
  if (other) throw kept(`${other.principalName} changed the memory since`);
  return { what: `${item.tier} memory ${item.id}`, outcome: await undo(use, landing, item, event) };
}

type Take = (use: MemoryMeans, landing: Landing, item: MemoryItem, event: WorkspaceEvent) => Promise<Outcome>;

const forgetAgain: Take = async (use, landing, item) => {
  if (item.trashedAt !== null) return 'nothing';
  requireMayChangeItem(landing.submission, [item]);
  await forget(use, landing, item.workspace, [item], false);
  return 'undone';
};

const rememberAgain: Take = async (use, landing, item) => {
  if (item.trashedAt === null) return 'nothing';
  requireMayChangeItem(landing.submission, [item]);
  await alter(use, landing, item, { id: item.id });
  return 'undone';
};

/** What ended because of something newer holds again as soon as that is forgotten; what was said by hand stands. */
const letHold: Take = async (_, __, { replaced, supersededBy }, { details }) => {
  if (replaced && supersededBy === details.by) throw kept('another memory was said to hold instead');
  return 'nothing';
};

const TAKERS: Partial<Record<EventKind, Take>> = {
  memory_written: forgetAgain,
  memory_restored: forgetAgain,
  memory_forgotten: rememberAgain,
  memory_superseded: letHold,
};

const REASONS: Partial<Record<EventKind, string>> = {
  memory_changed: 'what the memory said before was not kept',
  memory_reviewed: 'a decision stands',
  memory_summarised: 'what was summarised is gone by itself',
};

/** Being superseded is no change of what it says. */
const WORK: readonly EventKind[] = ['memory_changed', 'memory_restored', 'memory_reviewed'];
const AT_ONCE = 200;

async function changedSince(
  use: Pick<MemoryMeans, 'events'>,
  { tx }: Landing,
  { id, workspace }: MemoryItem,
  { sequence }: WorkspaceEvent,
  isOwn: (event: WorkspaceEvent) => boolean,
): Promise<WorkspaceEvent | undefined> {
  for (let before: number | undefined; ; ) {
    const events: readonly WorkspaceEvent[] = await use.events.matching(
      tx,
      workspace,
      { kinds: WORK },
      AT_ONCE,
      before,
    );
    const other = events.find(
      (event) => event.sequence > sequence && event.details.memory === id && !isOwn(event),
    );
    if (other) return other;
    before = events.at(-1)?.sequence;
    if (before === undefined || before <= sequence) return undefined;
  }
}

const kept = (reason: string): SluiceError => new SluiceError('conflict', reason, { reason: 'kept' });
