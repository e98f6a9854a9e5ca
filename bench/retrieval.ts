/**
 * How good search is on test collections in BEIR's layout (corpus.jsonl, queries.jsonl, qrels/test.tsv), each a folder
 * below SLUICE_IR_DIR. The baseline is search by words alone: where hybrid is worse on any of them, the run fails.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSluice, type Sluice } from '../src/index.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, printTable } from './measure/table.ts';

const MODES = ['text', 'semantic', 'hybrid'] as const;
type Mode = (typeof MODES)[number];
const DEPTH = 10;

interface Quality {
  readonly ndcg: number;
  readonly recall: number;
}
type Measured = Record<Mode, Quality & { readonly ms: number }>;

export async function retrieval(): Promise<void> {
  const folder = process.env.SLUICE_IR_DIR;
  if (folder === undefined) {
    console.log('SLUICE_IR_DIR is not set: it names the folder with the collections; nothing was measured');
    return;
  }
  const collections = readdirSync(folder).filter((name) =>
    existsSync(join(folder, name, 'qrels', 'test.tsv')),
  );
  if (collections.length === 0) console.log(`There is no collection in ${folder}`);
  const rows: string[][] = [];
  const worse: string[] = [];
  for (const name of collections.sort()) {
    const measured = await measure(name, join(folder, name));
    rows.push(...MODES.map((mode) => rowOf(name, mode, measured)));
    const { text, hybrid } = measured;
    if (hybrid.ndcg < text.ndcg || hybrid.recall < text.recall) worse.push(name);
  }
  printTable(
    ['collection', 'mode', 'nDCG@10', 'against text', 'recall@10', 'against text', 'ms a query'],
    rows,
  );
  if (worse.length === 0) return;
  console.error(`Hybrid is worse than text on ${worse.join(', ')}`);
  process.exitCode = 1;
}

function rowOf(name: string, mode: Mode, measured: Measured): string[] {
  const { ndcg, recall, ms } = measured[mode];
  const against = (value: number, text: number): string =>
    `${value >= text ? '+' : ''}${fixed(value - text, 4)}`;
  const { text } = measured;
  return [
    ...[name, mode, fixed(ndcg, 4), against(ndcg, text.ndcg)],
    ...[fixed(recall, 4), against(recall, text.recall), fixed(ms)],
  ];
}

async function measure(name: string, folder: string): Promise<Measured> {
  const { home, remove } = newHome();
  const config = { 'limits.calls_per_second': 1e9, 'limits.call_burst': 1e9 };
  const sluice = await createSluice({ home, config });
  const documents = await fill(sluice, folder);
  await index(sluice, name);
  const wanted = readJudgements(folder);
  const queries = readLines<{ _id: string; text: string }>(join(folder, 'queries.jsonl')).filter(({ _id }) =>
    wanted.has(_id),
  );
  const measured: Partial<Measured> = {};
  for (const mode of MODES) {
    const begun = performance.now();
    const all: Quality[] = [];
    for (const { _id, text } of queries) {
      const found = await find(sluice, text, mode, documents);
      all.push(judge(found, wanted.get(_id) ?? new Map()));
    }
    const ms = (performance.now() - begun) / queries.length;
    measured[mode] = {
      ndcg: mean(all.map((one) => one.ndcg)),
      recall: mean(all.map((one) => one.recall)),
      ms,
    };
  }
  await sluice.close();
  remove();
  return measured as Measured;
}

/** Answers which document each page is. */
async function fill(sluice: Sluice, folder: string): Promise<ReadonlyMap<string, string>> {
  const documents = new Map<string, string>();
  const corpus = readLines<{ _id: string; title?: string; text: string }>(join(folder, 'corpus.jsonl'));
  for (let i = 0; i < corpus.length; i += 50) {
    await Promise.all(
      corpus.slice(i, i + 50).map(async ({ _id, title = '', text }) => {
        const page = await sluice.call('create_page', {
          title: title.trim().slice(0, 300) || `Document ${_id}`,
          content: text,
        });
        documents.set(String(page.id), _id);
      }),
    );
  }
  return documents;
}

async function index(sluice: Sluice, name: string): Promise<void> {
  for (;;) {
    const { pages, indexed, done } = await sluice.call('reindex_search', { seconds: 20 });
    console.error(`${name}: ${indexed} of ${pages} pages indexed`);
    if (done === true) return;
  }
}

async function find(
  sluice: Sluice,
  query: string,
  mode: Mode,
  documents: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { results } = await sluice.call('search', { query, mode, limit: DEPTH });
  return (results as { id: string }[]).map(({ id }) => documents.get(id) ?? '');
}

function judge(found: readonly string[], wanted: ReadonlyMap<string, number>): Quality {
  const gain = (grades: readonly number[]): number =>
    grades.slice(0, DEPTH).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0);
  const best = gain([...wanted.values()].sort((a, b) => b - a));
  return {
    ndcg: gain(found.map((id) => wanted.get(id) ?? 0)) / best,
    recall: found.filter((id) => wanted.has(id)).length / wanted.size,
  };
}

/** For each query what is relevant, and how much. */
function readJudgements(folder: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(folder, 'qrels', 'test.tsv'), 'utf8')
    .split('\n')
    .slice(1)) {
    const [query, document, grade] = line.trim().split('\t');
    if (query === undefined || document === undefined || !(Number(grade) > 0)) continue;
    judged.set(query, (judged.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return judged;
}

const readLines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
