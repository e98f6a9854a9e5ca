/** How reading, the tree, search and writing grow with the number of pages; the baseline is the smallest workspace. */
import { DatabaseSync } from 'node:sqlite';
import { BUILTIN_MODEL } from '../src/drivers/embedding/builtin-embedder.ts';
import { homeLayout } from '../src/drivers/home/home-layout.ts';
import { createSluice, type Sluice } from '../src/index.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, median, printTable } from './measure/table.ts';

/** Other sizes: SLUICE_BENCH_PAGES=1000,10000. */
const SIZES = (process.env.SLUICE_BENCH_PAGES ?? '1000,10000,50000').split(',').map(Number);
const REPEAT = 60;

const say = (what: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);

export async function pages(): Promise<void> {
  const { home, remove } = newHome();
  let sluice = await createSluice({ home });
  const measured: Record<string, number>[] = [];
  let made = 0;
  for (const size of SIZES) {
    await grow(sluice, made, size);
    say(`${size} pages: measuring`);
    const figures = await measure(sluice, size);
    await sluice.close();
    plantVectors(home);
    sluice = await createSluice({ home });
    Object.assign(figures, await measureMeaning(sluice));
    measured.push(figures);
    made = size;
  }
  await sluice.close();
  remove();
  const [smallest = {}] = measured;
  printTable(
    ['ms CPU a call', ...SIZES.map((size) => `${size / 1000}k pages`), 'growth'],
    Object.keys(smallest).map((name) => {
      const values = measured.map((row) => row[name] ?? 0);
      return [
        name,
        ...values.map((value) => fixed(value, 2)),
        `${fixed((values.at(-1) ?? 0) / (values[0] ?? 1))}×`,
      ];
    }),
  );
  console.log(`median of ${REPEAT} calls in process; growth is ${SIZES.at(-1)} pages against ${SIZES[0]}`);
}

const WORDS =
  'river stone lantern copper meadow signal harbor window thread garden winter letter engine marble forest'.split(
    ' ',
  );

const word = (n: number): string => WORDS[n % WORDS.length] ?? '';
const titleOf = (n: number): string => `Page ${n} ${word(n * 7)}`;
/** Ten to a parent. */
const pathOf = (n: number): string => (n < 10 ? titleOf(n) : `${pathOf(Math.floor(n / 10))}/${titleOf(n)}`);

/** Of about 120 words, each linking to two others. */
const textOf = (n: number): string =>
  `# Page ${n}\n\nSee [[${titleOf(n % 97)}]] and [[Missing ${n % 13}]].\n\n${Array.from(
    { length: 110 },
    (_, i) => word(n * 31 + i * i),
  ).join(' ')} unique${n}\n`;

const parents: string[] = [];

/** By importing: the same pages with the same indexes as made one by one, in a fraction of the time. */
async function grow(sluice: Sluice, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 250) {
    const numbers = Array.from({ length: Math.min(250, to - n) }, (_, i) => n + i);
    const files = numbers.map((one) => ({ path: `${pathOf(one)}.md`, text: textOf(one) }));
    const { files: done } = await sluice.call('import_pages', { files, canonical: true });
    for (const [i, { page }] of (done as { page: string }[]).entries())
      if ((n + i) % 10 === 0) parents.push(page);
    if ((n - from) % 5_000 === 0) say(`${n + numbers.length} of ${to} pages made`);
  }
}

/** The median of what the calls cost, in all threads. */
async function times(work: (i: number) => Promise<unknown>): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < REPEAT; i += 1) {
    const begun = process.cpuUsage();
    await work(i);
    const { user, system } = process.cpuUsage(begun);
    values.push((user + system) / 1000);
  }
  return median(values);
}

/**
 * Two passages for each page, of random bytes: embedding so many pages takes hours, and what a search costs does not
 * depend on what the vectors mean.
 */
function plantVectors(home: string): void {
  const database = new DatabaseSync(homeLayout(home).database);
  database.exec(`
    begin;
    delete from page_vector;
    insert into page_vector select id, workspace_id, '${BUILTIN_MODEL}', version, title, '[[0,60],[60,120]]',
      randomblob(768), number from page;
    insert or replace into semantic_progress
      select id, '${BUILTIN_MODEL}', sequence, (select max(number) from page) from workspace;
    commit`);
  database.close();
}

/** Other words each time, so that each query is embedded; the first one loads model and vectors and is not the median. */
async function measureMeaning(sluice: Sluice): Promise<Record<string, number>> {
  const query = (i: number): string => `${WORDS[i % 15]} ${WORDS[(i * 4 + 1) % 15]} number ${i}`;
  return {
    'search hybrid, common words': await times((i) => sluice.call('search', { query: query(i) })),
    'search semantic': await times((i) =>
      sluice.call('search', { query: `${query(i)} again`, mode: 'semantic' }),
    ),
    get_search_status: await times(() => sluice.call('get_search_status')),
  };
}

async function measure(sluice: Sluice, size: number): Promise<Record<string, number>> {
  const at = (i: number): number => (i * 7_919) % size;
  const pick = String(parents[Math.floor(parents.length / 2)]);
  return {
    create_page: await times((i) =>
      sluice.call('create_page', { title: `Made ${size} ${i}`, content: textOf(size + i) }),
    ),
    'read_page by id': await times(() => sluice.call('read_page', { page: pick })),
    'search text, rare word': await times((i) =>
      sluice.call('search', { query: `unique${at(i)}`, mode: 'text' }),
    ),
    'search text, two common words': await times(() =>
      sluice.call('search', { query: 'river lantern', mode: 'text' }),
    ),
    get_page_tree: await times(() => sluice.call('get_page_tree', {})),
    get_backlinks: await times((i) =>
      sluice.call('get_backlinks', {
        page: titleOf(i % 97)
          .toLowerCase()
          .replaceAll(' ', '-'),
      }),
    ),
    update_page_content: await times(async (i) => {
      const { content, version } = await sluice.call('read_page', { page: pick });
      return sluice.call('update_page_content', {
        page: pick,
        content: `${content}line ${i}\n`,
        base_version: version,
      });
    }),
    ...(await measureReview(sluice, size, times)),
  };
}

/** A queue that grows with the workspace: one proposal for each hundred pages. */
let queued = 0;

async function measureReview(
  sluice: Sluice,
  size: number,
  times: (work: (i: number) => Promise<unknown>) => Promise<number>,
): Promise<Record<string, number>> {
  const agent = sluice.as({ name: 'bench', role: 'agent', kind: 'agent' });
  const page = (i: number): string => String(parents[i % parents.length]);
  for (; queued < size / 100; queued += 1)
    await agent.call('update_page_metadata', { page: page(queued), icon: `i${queued}` });
  const versions = new Map<string, Record<string, unknown>>();
  for (let i = 0; i < REPEAT; i += 1)
    versions.set(page(i), await sluice.call('read_page', { page: page(i), max_tokens: 100_000 }));
  const proposed: string[] = [];
  return {
    'propose a new text': await times(async (i) => {
      const { content, version } = versions.get(page(i)) ?? {};
      const wish = { page: page(i), content: `${content}proposed ${size}\n`, base_version: version };
      const { proposal } = await agent.call('update_page_content', wish);
      proposed.push(String((proposal as { id: string }).id));
    }),
    list_proposals: await times(() => sluice.call('list_proposals', {})),
    read_proposal: await times((i) => sluice.call('read_proposal', { proposal: proposed[i] })),
    accept_proposal: await times((i) => sluice.call('accept_proposal', { proposal: proposed[i] })),
  };
}
