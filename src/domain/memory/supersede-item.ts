/** One item takes the place of another that speaks of something else by its key: a person says that it does. */
import { invalidInput } from '../../kernel/errors.ts';
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import { endLook } from './look-again.ts';
import { requireMayChangeItem } from './may-change.ts';
import type { MemoryMeans } from './means.ts';
import { type MemoryItem, needsReview, statusOf } from './memory-item.ts';
import { recordMemory } from './record-memory.ts';
import { settleKey } from './settle-key.ts';
import { viewerOf, visibleItem } from './viewer.ts';

export async function supersedeItem(
  use: MemoryMeans,
  ticket: WriteTicket,
  wanted: { readonly old: string; readonly new: string },
): Promise<{ readonly old: MemoryItem; readonly new: MemoryItem }> {
  const landing = requireTicket(ticket, 'memory', 'land');
  const { tx, submission } = landing;
  const [viewer, workspace] = [viewerOf(submission.caller), workspaceOf(submission)];
  const before = await visibleItem(use, tx, workspace, viewer, wanted.old, 'old');
  const after = await visibleItem(use, tx, workspace, viewer, wanted.new, 'new');
  checkPair(before, after, submission.at);
  requireMayChangeItem(submission, [before, after]);
  const superseded: MemoryItem = {
    ...(await endLook(use, landing, before)),
    endedAt: Math.max(before.validFrom, after.validFrom),
    supersededBy: after.id,
    replaced: true,
    version: before.version + 1,
    updatedAt: submission.at,
  };
  await use.memory.save(tx, superseded);
  await settleKey(use, landing, superseded);
  await recordMemory(use, landing, 'memory_superseded', [superseded], { by: after.id });
  return { old: superseded, new: after };
}

function checkPair(before: MemoryItem, after: MemoryItem, at: number): void {
  if (before.id === after.id) throw invalidInput('new', 'must be another memory than "old"');
  if (before.tier !== after.tier || !needsReview(before.tier))
    throw invalidInput('old', 'and "new" must both be semantic, or both procedural');
  if (statusOf(before, at) !== 'active')
    throw invalidInput('old', `must be in force, it is ${statusOf(before, at)}`);
  if (statusOf(after, at) !== 'active')
    throw invalidInput('new', `must be in force, it is ${statusOf(after, at)}`);
}
