/**
 * Indexes the words of pages anew after an upgrade that reads words by other rules, beside the calls. Each entry says
 * by which rules it was made, so that whoever comes after a crash goes on where they end.
 */
import { wordsOf } from '../domain/workspace/land-text.ts';
import type { Page } from '../domain/workspace/page.ts';
import type { IndexingStep } from '../domain/workspace/ports/indexing.ts';
import type { WordIndexer } from '../domain/workspace/ports/word-indexer.ts';
import type { LiveDirectory } from '../domain/workspace/workspaces.ts';
import type { Store } from '../drivers/store/store.ts';
import type { WorkspaceId } from '../kernel/ids.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import { Turns } from '../kernel/turns.ts';

export interface WordIndexerParts {
  readonly store: Pick<Store, 'units' | 'search' | 'pages'>;
  readonly directory: LiveDirectory;
  readonly log: Log;
  /** True in a program that stays: it begins by itself. */
  readonly follows: boolean;
}

/** Pages that land in one unit: few, so that nobody waits long behind them. */
const AT_ONCE = 16;
const AFTER_START_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;

export function createWordIndexer(parts: WordIndexerParts): WordIndexer & { close(): Promise<void> } {
  const closing = new AbortController();
  /** One pass at a time, whoever asked for it. */
  const passes = new Turns();
  let timer: NodeJS.Timeout | undefined;

  const begin = (afterMs: number): void => {
    if (!parts.follows || closing.signal.aborted) return;
    timer = setTimeout(() => {
      const all = async (): Promise<void> => {
        for (const { id } of parts.directory.all()) await catchUp(parts, id, closing.signal);
      };
      passes.take('', all).catch((error: unknown) => {
        parts.log.warn('word_index_behind', faultFields(error));
        begin(AFTER_FAILURE_MS);
      });
    }, afterMs).unref();
  };
  begin(AFTER_START_MS);

  return {
    work: (workspace, { anew, untilMs, signal, onStep }) =>
      passes.take('', async () => {
        const { store } = parts;
        if (anew) await store.units.write({ workspace }, (tx) => store.search.outdate(tx, workspace));
        const until = AbortSignal.any([signal, closing.signal, AbortSignal.timeout(untilMs)]);
        await catchUp(parts, workspace, until, onStep);
        return countPages(parts, workspace);
      }),

    async close() {
      closing.abort();
      clearTimeout(timer);
      await passes.ended();
    },
  };
}

const countPages = ({ store }: WordIndexerParts, workspace: WorkspaceId): Promise<IndexingStep> =>
  store.units.read((scope) => store.search.counts(scope, workspace));

async function catchUp(
  parts: WordIndexerParts,
  workspace: WorkspaceId,
  until: AbortSignal,
  onStep?: (step: IndexingStep) => void,
): Promise<void> {
  const { store } = parts;
  while (!until.aborted) {
    const pages = await store.units.read(async (scope) =>
      store.pages.findAll(scope, workspace, await store.search.outdated(scope, workspace, AT_ONCE)),
    );
    if (pages.length === 0) return;
    await indexPages(parts, workspace, pages);
    onStep?.(await countPages(parts, workspace));
  }
}

/** The work is done before the unit; what changed meanwhile was indexed with its change. */
async function indexPages(
  { store }: WordIndexerParts,
  workspace: WorkspaceId,
  pages: readonly Page[],
): Promise<void> {
  const words = pages.map(({ title, content }) => wordsOf(title, content));
  await store.units.write({ workspace }, async (tx) => {
    const ids = pages.map(({ id }) => id);
    const now = new Map((await store.pages.headers(tx, workspace, ids)).map((page) => [page.id, page]));
    const same = pages.flatMap(({ id, version, title }, i) => {
      const page = now.get(id);
      const tokens = words[i];
      const isSame = page?.version === version && page.title === title && page.trashBatch === null;
      return isSame && tokens ? [[id, tokens] as const] : [];
    });
    await store.search.putAll(tx, new Map(same));
  });
}
