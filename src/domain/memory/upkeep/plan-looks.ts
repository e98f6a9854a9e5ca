/** Ways of doing things that nobody used for long, or that keep failing, and that no person was asked about yet. */

import { wantsLook } from '../look-again.ts';
import type { MemoryMeans } from '../means.ts';
import type { MemoryItem } from '../memory-item.ts';
import { viewerOf } from '../viewer.ts';
import type { Range } from './plan-episodes.ts';

const READ_AT_ONCE = 200;
const ASKED_AT_ONCE = 50;

export async function planLooks(
  use: Pick<MemoryMeans, 'memory'>,
  { scope, workspace, submission }: Range,
): Promise<readonly MemoryItem[]> {
  const { caller, at } = submission;
  const filter = {
    tiers: ['procedural'],
    viewer: viewerOf(caller),
    standing: ['in-force'],
    at,
  } as const;
  const found: MemoryItem[] = [];
  for (let after: MemoryItem | undefined; found.length < ASKED_AT_ONCE; ) {
    const items = await use.memory.list(scope, workspace, filter, READ_AT_ONCE, after);
    found.push(...items.filter((item) => item.look === null && wantsLook(item, at)));
    after = items.at(-1);
    if (items.length < READ_AT_ONCE) break;
  }
  return found.slice(0, ASKED_AT_ONCE);
}
