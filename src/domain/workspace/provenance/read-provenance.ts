/** Where a page or a block comes from: who wrote it, in which run, from which sources, and whether those changed. */
import { z } from 'zod';
import { SluiceError } from '../../../kernel/errors.ts';
import { type BlockId, isUuid, type WorkspaceId } from '../../../kernel/ids.ts';
import type { ReadScope } from '../../../kernel/ports/unit-of-work.ts';
import type { EntityVersion, Origin } from '../../../kernel/submission.ts';
import type { BlockEntry } from '../block-index.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { loadPage } from '../find-page.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Page } from '../page.ts';
import type { WorkspaceEvent } from '../ports/event-log.ts';
import type { Attribution, Authorship } from '../ports/provenance-store.ts';
import { estimateTokens } from '../token-budget.ts';
import { NOBODY_KNOWN } from './combine-writers.ts';
import { wordingOf } from './trace-blocks.ts';

export interface BlockProvenance {
  readonly block: BlockEntry;
  readonly text: string;
  readonly origin: BlockOrigin;
  /** Newest first; empty when nobody knows. */
  readonly writers: readonly Attribution[];
  readonly restoredBy?: Attribution;
}

export const BLOCK_ORIGINS = ['authored', 'agent-produced', 'imported', 'mixed', 'unknown'] as const;
export type BlockOrigin = (typeof BLOCK_ORIGINS)[number];

export interface PageProvenance {
  readonly page: Page;
  /** How it came to be; undefined when the log does not go back that far. */
  readonly created?: WorkspaceEvent;
  readonly sources: readonly EntityVersion[];
  readonly origins: Readonly<Record<BlockOrigin, number>>;
  readonly blocks: readonly BlockProvenance[];
  readonly nextCursor?: string;
}

export interface ProvenanceWish {
  readonly page: string;
  readonly blocks: boolean;
  readonly maxTokens: number;
  readonly cursor?: string | undefined;
}

const place = z.object({ version: z.string(), block: z.int().min(0) });

export async function readProvenance(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  wish: ProvenanceWish,
): Promise<PageProvenance> {
  const page = await loadPage(use, scope, workspace, wish.page);
  const [created] = await use.events.matching(
    scope,
    workspace,
    { page: page.id, kinds: ['page_created'] },
    1,
  );
  const all = await blocksOf(use, scope, page);
  const origins: Record<BlockOrigin, number> = {
    authored: 0,
    'agent-produced': 0,
    imported: 0,
    mixed: 0,
    unknown: 0,
  };
  for (const { origin } of all) origins[origin] += 1;
  const sources = await use.events.sourcesOf(scope, page.id);
  const facts = { page, sources, origins, ...(created && { created }) };
  return wish.blocks ? { ...facts, ...cut(page, all, wish) } : { ...facts, blocks: [] };
}

export async function readBlockProvenance(
  use: WorkspaceMeans,
  scope: ReadScope,
  workspace: WorkspaceId,
  block: string,
): Promise<{ readonly page: Page; readonly block: BlockProvenance }> {
  const id = isUuid(block.toLowerCase())
    ? await use.provenance.pageOf(scope, block.toLowerCase() as BlockId)
    : undefined;
  const page = id && (await use.pages.find(scope, workspace, id));
  if (page && page.trashBatch === null) {
    const found = (await blocksOf(use, scope, page)).find((one) => one.block.id === block.toLowerCase());
    if (found) return { page, block: found };
  }
  throw new SluiceError('not_found', `There is no block "${block}"`, { field: 'block' });
}

async function blocksOf(
  use: WorkspaceMeans,
  scope: ReadScope,
  page: Page,
): Promise<readonly BlockProvenance[]> {
  const blocks = await use.documents.blocks(scope, page.id);
  const authorships = await use.provenance.ofBlocks(
    scope,
    blocks.map(({ id }) => id),
  );
  const numbers = [...authorships.values()].flatMap(({ by, restoredBy }) => [...by, restoredBy ?? 0]);
  const known = await use.provenance.attributions(scope, [...new Set(numbers)]);
  return blocks.map((block) => {
    const { by, restoredBy }: Authorship = authorships.get(block.id) ?? NOBODY_KNOWN;
    const back = known.get(restoredBy ?? 0);
    return {
      block,
      text: wordingOf({ text: page.content, blocks }, block),
      origin: originOf(by.map((number) => known.get(number)?.origin)),
      writers: by.flatMap((number) => known.get(number) ?? []),
      ...(back && { restoredBy: back }),
    };
  });
}

function originOf(all: readonly (Origin | undefined)[]): BlockOrigin {
  const [first, ...others] = new Set(all.map((origin) => origin ?? 'unknown'));
  return others.length > 0 ? 'mixed' : (first ?? 'unknown');
}

/** What a block costs besides its names and sources. */
const TOKENS_A_BLOCK = 60;

function cut(
  page: Page,
  all: readonly BlockProvenance[],
  { cursor, maxTokens }: ProvenanceWish,
): Pick<PageProvenance, 'blocks' | 'nextCursor'> {
  const at = cursor === undefined ? undefined : readCursor(cursor, place);
  if (at && at.version !== page.version) {
    const what = `"${page.title}" has changed since the first part; begin again without "cursor"`;
    throw new SluiceError('conflict', what, { reason: 'stale', field: 'cursor', version: page.version });
  }
  const from = at?.block ?? 0;
  let [end, tokens] = [from, 0];
  for (const block of all.slice(from)) {
    tokens += costOf(block);
    if (end > from && tokens > maxTokens) break;
    end += 1;
  }
  const more = end < all.length && { nextCursor: writeCursor({ version: page.version, block: end }) };
  return { blocks: all.slice(from, end), ...more };
}

const costOf = ({ writers, restoredBy }: BlockProvenance): number =>
  [...writers, ...(restoredBy ? [restoredBy] : [])].reduce(
    (sum, one) =>
      sum + TOKENS_A_BLOCK + estimateTokens(one.run + one.principalName) + one.sources.length * 40,
    TOKENS_A_BLOCK,
  );
