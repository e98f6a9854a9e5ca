/**
 * How well tools are found among our own and those of real servers, by words alone and with meaning. The baseline is
 * what clients do without a search: looking for the words of the question in the list.
 */
import {
  goldenQueries,
  measureRecall,
  openToolSearch,
  type ToolSearcher,
} from '../test/support/golden-tools.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, printTable } from './measure/table.ts';

const UNLIMITED = { 'limits.calls_per_second': 1e9, 'limits.call_burst': 1e9 };

export async function toolsSearch(): Promise<void> {
  const queries = goldenQueries();
  const rows: string[][] = [];
  for (const embedder of ['none', 'builtin'] as const) {
    const { home, remove } = newHome();
    const searcher = await openToolSearch(home, { ...UNLIMITED, 'search.embedder': embedder });
    const by = await warm(searcher, embedder === 'builtin');
    const begun = performance.now();
    const { at1, at5, refused, missed } = await measureRecall(searcher, queries);
    const ms = (performance.now() - begun) / queries.length;
    rows.push([by, String(searcher.searched), ...[at1, at5, refused, ms].map((value) => fixed(value, 2))]);
    console.log(missed.map((line) => `missed by ${by}: ${line}`).join('\n'));
    await searcher.close();
    remove();
  }
  console.log(`${queries.length} questions`);
  printTable(['by', 'tools', 'recall@1', 'recall@5', 'nothing, rightly', 'ms a question'], rows);
}

/** Vectors are made in the background when somebody first asks. */
async function warm(searcher: ToolSearcher, meaning: boolean): Promise<string> {
  for (let i = 0; i < 600; i += 1) {
    const { by } = await searcher.find('rename a page');
    if (!meaning || by !== 'words') return by;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return 'words';
}
