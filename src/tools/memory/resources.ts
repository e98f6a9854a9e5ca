/** Memory by URI: what is in force in one tier, newest first. */
import { defineResource } from '../../catalogue/resource-definition.ts';
import type { MemoryMeans } from '../../domain/memory/means.ts';
import { TIERS } from '../../domain/memory/memory-item.ts';
import { searchMemory } from '../../domain/memory/search-items.ts';
import { SluiceError } from '../../kernel/errors.ts';
import { asRead, workspaceOf } from './memory-shape.ts';

const JSON_TYPE = 'application/json';
const BUDGET = 10_000;

const memoryTier = defineResource({
  name: 'memory_tier',
  title: 'Memory',
  summary:
    'What is remembered in one tier (working, episodic, semantic or procedural), newest first, as JSON.',
  uri: 'sluice://memory/{tier}',
  mimeType: JSON_TYPE,
  scopes: ['memory.read'],
  follows: async () => null,
  complete: { tier: async (_use, value) => TIERS.filter((tier) => tier.startsWith(value)) },
  async handler(use: MemoryMeans, { tier = '' }, call) {
    const known = TIERS.find((one) => one === tier);
    if (!known)
      throw new SluiceError(
        'resource_not_found',
        `There is no tier "${tier}"; there are ${TIERS.join(', ')}`,
      );
    const wish = {
      query: '',
      tiers: [known],
      includeSuperseded: false,
      includeCandidates: false,
      budget: BUDGET,
    };
    const { items, read, hidden, nextCursor } = await searchMemory(
      use,
      call.read,
      workspaceOf(call),
      call.caller,
      wish,
      call.at,
    );
    for (const item of read) call.noteRead(asRead(item));
    return {
      mimeType: JSON_TYPE,
      text: JSON.stringify({ tier, items, hidden, truncated: nextCursor !== undefined }),
    };
  },
});

export const memoryResources = [memoryTier];
