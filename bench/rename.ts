/** Renaming a page that thousands link to; the baseline rewrites the same page bodies in one bare SQLite transaction. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSluice, type Sluice } from '../src/index.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, median, printTable } from './measure/table.ts';

const INBOUND = 2_700;
const ROUNDS = 5;
const [OLD, NEW] = ['Buy me a coffee', 'Buy me tea'] as const;

export async function rename(): Promise<void> {
  const { home, remove } = newHome();
  const sluice = await createSluice({ home });
  await grow(sluice);
  const { id } = await sluice.call('read_page', { page: OLD });
  const bare = openBare(join(home, 'bare.db'));
  const rows: Record<string, number[]> = {};
  const time = async (name: string, work: () => unknown): Promise<void> => {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    rows[name] = [...(rows[name] ?? []), (user + system) / 1000];
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const [from, to] = round % 2 === 0 ? [OLD, NEW] : [NEW, OLD];
    await time('bare SQLite', () => bare.rewrite(from, to));
    await time('rename_page, dry run', () =>
      sluice.call('rename_page', { page: id, title: to, dry_run: true }),
    );
    let change: unknown;
    await time('rename_page', async () => {
      change = (await sluice.call('rename_page', { page: id, title: to })).change;
    });
    let undone: unknown;
    await time('undo_change', async () => {
      undone = (await sluice.call('undo_change', { change })).change;
    });
    await sluice.call('undo_change', { change: undone });
  }
  bare.close();
  await sluice.close();
  remove();
  const [baseline = []] = Object.values(rows);
  printTable(
    [`ms CPU, ${INBOUND} pages`, 'median', 'against bare SQLite'],
    Object.entries(rows).map(([name, values]) => [
      name,
      fixed(median(values), 0),
      `${fixed(median(values) / median(baseline))}×`,
    ]),
  );
  console.log(
    `median of ${ROUNDS} rounds in process; the baseline keeps no history, links, blocks, search or record`,
  );
}

const textOf = (n: number): string =>
  `# Page ${n}\n\nSee [[${OLD}]] and [[Page ${n % 97}|x]].\n\n${`word${n % 50} `.repeat(110)}\n\n- [t](${encodeURIComponent(OLD)}.md)\n`;

async function grow(sluice: Sluice): Promise<void> {
  await sluice.call('create_page', { title: OLD });
  for (let n = 0; n < INBOUND; n += 50) {
    const some = Array.from({ length: Math.min(50, INBOUND - n) }, (_, i) => n + i);
    await Promise.all(
      some.map((one) => sluice.call('create_page', { title: `Page ${one}`, content: textOf(one) })),
    );
  }
}

/** Only the bodies, with the same durability. */
function openBare(path: string) {
  const db = new DatabaseSync(path);
  db.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table page (id integer primary key, body text)',
  );
  const insert = db.prepare('insert into page (id, body) values (?, ?)');
  for (let n = 0; n < INBOUND; n += 1) insert.run(n, textOf(n));
  const [all, update] = [
    db.prepare('select * from page'),
    db.prepare('update page set body = ? where id = ?'),
  ];
  return {
    rewrite(from: string, to: string): void {
      db.exec('begin immediate');
      for (const { id, body } of all.all()) {
        const text = String(body).replaceAll(from, to);
        update.run(text.replaceAll(encodeURIComponent(from), encodeURIComponent(to)), Number(id));
      }
      db.exec('commit');
    },
    close: () => db.close(),
  };
}
