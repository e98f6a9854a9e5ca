/** Remembers something. Each tier has its own rule for what happens to what was there before. */
import { requireTicket, type WriteTicket } from '../../kernel/ticket.ts';
import { checkItem, type NewItem } from './item-rules.ts';
import { makeItem, tokensOf } from './make-item.ts';
import type { MemoryMeans } from './means.ts';
import { recordMemory } from './record-memory.ts';
import { writeStatement } from './write-statement.ts';
import { type Written, writeWorking } from './write-working.ts';

export async function writeItem(use: MemoryMeans, ticket: WriteTicket, wanted: NewItem): Promise<Written> {
  const landing = requireTicket(ticket, 'memory', 'land');
  checkItem(wanted);
  switch (wanted.tier) {
    case 'working':
      return writeWorking(use, landing, wanted);
    case 'episodic': {
      const item = makeItem(use, landing.submission, wanted);
      await use.memory.insert(landing.tx, item, tokensOf(item));
      await recordMemory(use, landing, 'memory_written', [item]);
      return { item, outcome: 'written', superseded: [], evicted: [] };
    }
    default:
      return writeStatement(use, landing, makeItem(use, landing.submission, wanted), wanted.baseVersion);
  }
}
