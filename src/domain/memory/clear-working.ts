/** Takes one named thing off a thread's scratch paper. */
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { workspaceOf } from '../workspace/page-rules.ts';
import type { MemoryMeans } from './means.ts';

/** True when it was there. The caller has made sure that the thread is the caller's own. */
export async function clearWorking(
  use: Pick<MemoryMeans, 'memory'>,
  ticket: WriteTicket,
  thread: string,
  name: string,
): Promise<boolean> {
  const { tx, submission } = requireTicket(ticket, 'memory', 'land');
  const items = await use.memory.ofThread(tx, workspaceOf(submission), thread);
  const found = items.filter((item) => item.key === name).map(({ id }) => id);
  await use.memory.remove(tx, found);
  return found.length > 0;
}
