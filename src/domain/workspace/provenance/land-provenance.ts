/**
 * Keeps whose each block is, in the same unit as the text. Blocks that stay keep it; a changed one is its changer's and
 * also everybody's whose words it still has; one that comes back is whose it was.
 */
import { sha256Hex } from '../../../kernel/canonical-json.ts';
import type { BlockId, PageId } from '../../../kernel/ids.ts';
import type { Landing } from '../../../kernel/ticket.ts';
import type { BlockEntry } from '../block-index.ts';
import type { WorkspaceMeans } from '../means.ts';
import type { Attribution, Authorship, BlockAuthorship } from '../ports/provenance-store.ts';
import { combineWriters, type Known, NOBODY_KNOWN } from './combine-writers.ts';
import { type IndexedText, type Trace, traceBlocks, wordingOf } from './trace-blocks.ts';

type Means = Pick<WorkspaceMeans, 'provenance'>;

/** How a text comes to land. */
export interface Restoring {
  /** Nothing of it is the caller's: it is what the page said then. */
  readonly until: number;
  /** What this call had written does not count. */
  readonly except?: string;
  /** The run that is taken back by it, and the one that does. */
  readonly undo?: { readonly root: string; readonly run: string };
}

/** Everything in new pages is whoever's made them. */
export async function attributeNew(
  use: Means,
  landing: Landing,
  pages: readonly { readonly page: PageId; readonly blocks: readonly BlockEntry[] }[],
): Promise<void> {
  const writer = await use.provenance.keep(landing.tx, attributionOf(landing));
  const authorship: Authorship = { by: [writer], restoredBy: null, touchedBy: writer };
  const all = pages.flatMap(({ page, blocks }) => blocks.map(({ id }) => ({ page, block: id, authorship })));
  await use.provenance.put(landing.tx, all);
}

export async function landProvenance(
  use: Means,
  landing: Landing,
  page: PageId,
  before: IndexedText,
  after: IndexedText,
  restoring?: Restoring,
): Promise<void> {
  const { tx } = landing;
  const { changed, gone, dropped } = traceBlocks(before, after);
  if (changed.length === 0 && gone.length === 0) return;
  const writer = await use.provenance.keep(tx, attributionOf(landing, restoring?.undo));
  const touched = [...gone, ...changed.flatMap(({ from, same }) => (same ? [same, ...from] : from))];
  const known = await use.provenance.ofBlocks(tx, [...new Set(touched.map(({ id }) => id))]);
  const authorshipOf = (block: BlockEntry): Authorship => known.get(block.id) ?? NOBODY_KNOWN;
  const former = restoring && (await formerAuthorships(use, landing, page, after, changed, restoring));
  const numbers = new Set([writer, ...[...known.values()].flatMap(({ by }) => by)]);
  const attributions = await use.provenance.attributions(tx, [...numbers]);
  const now: BlockAuthorship[] = [];
  for (const trace of changed) {
    await tx.breathe();
    const from = { same: trace.same && authorshipOf(trace.same), others: trace.from.map(authorshipOf) };
    const given = former && { back: former.get(trace.block.id) };
    const authorship = authorshipNow(writer, attributions, from, given);
    now.push({ page, block: trace.block.id, authorship });
  }
  const past = gone.map((block) => [digestOf(before, block), authorshipOf(block)] as const);
  await use.provenance.remember(tx, page, past);
  await use.provenance.remove(
    tx,
    dropped.map(({ id }) => id),
  );
  await use.provenance.put(tx, now);
}

/** `restored` = nothing of it is the writer's own; `back` is whose it was then, where that is known. */
function authorshipNow(
  writer: number,
  known: Known,
  { same, others }: { readonly same: Authorship | undefined; readonly others: readonly Authorship[] },
  restored?: { readonly back: Authorship | undefined },
): Authorship {
  if (restored?.back) return { by: restored.back.by, restoredBy: writer, touchedBy: writer };
  if (same) return { ...same, touchedBy: writer };
  const lists = others.map(({ by }) => by);
  if (!restored)
    return { by: combineWriters([[writer], ...lists], known), restoredBy: null, touchedBy: writer };
  const by = lists.length > 0 ? combineWriters(lists, known) : NOBODY_KNOWN.by;
  return { by, restoredBy: writer, touchedBy: writer };
}

/** For blocks that say what the page said at that time: whose it was then. */
async function formerAuthorships(
  use: Means,
  { tx }: Landing,
  page: PageId,
  after: IndexedText,
  changed: readonly Trace[],
  { until, except }: Restoring,
): Promise<ReadonlyMap<BlockId, Authorship>> {
  const digests = changed.map(({ block }) => digestOf(after, block));
  const former = await use.provenance.former(tx, page, [...new Set(digests)]);
  const numbers = [...former.values()].flat().map(({ touchedBy }) => touchedBy);
  const attributions = await use.provenance.attributions(tx, [...new Set(numbers)]);
  const found = new Map<BlockId, Authorship>();
  for (const [i, { block }] of changed.entries()) {
    const all = former.get(digests[i] ?? '') ?? [];
    const then = all.findLast(({ touchedBy }) => {
      const touch = attributions.get(touchedBy);
      return touch ? touch.at <= until && touch.call !== except : true;
    });
    if (then) found.set(block.id, then);
  }
  return found;
}

const digestOf = (indexed: IndexedText, block: BlockEntry): string =>
  sha256Hex(wordingOf(indexed, block)).slice(0, 32);

function attributionOf({ submission }: Landing, undo?: Restoring['undo']): Attribution {
  const { caller, callId, tool, origin, at, derivedFrom, accepted } = submission;
  return {
    principalKind: caller.principal.kind,
    principal: caller.principal.id,
    principalName: caller.principal.name,
    run: undo?.run ?? caller.context.run,
    tool,
    call: callId,
    origin,
    at,
    acceptedBy: accepted?.by.principal.name ?? null,
    undoes: undo?.root ?? null,
    sources: derivedFrom,
  };
}
