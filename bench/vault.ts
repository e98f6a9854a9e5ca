/** How many notes a second come in and go out; the baselines are copying the files with fsync and bare SQLite inserts. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { exportFolder } from '../src/app/export-folder.ts';
import { importFolder } from '../src/app/import-folder.ts';
import { createSluice } from '../src/index.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, printTable } from './measure/table.ts';

const NOTES = 3_000;

export async function vault(): Promise<void> {
  const { home, remove } = newHome();
  const folders = ['source', 'copy', 'export'].map((name) => mkdtempSync(join(tmpdir(), `sluice-${name}-`)));
  const [source = '', copy = '', target = ''] = folders;
  writeNotes(source);
  const copying = await measure(() => copyFiles(source, copy));
  const inserting = await measure(async () => insertRaw(source, join(copy, 'raw.db')));
  const sluice = await createSluice({ home });
  const wish = { folder: source, dialect: 'obsidian', canonical: false } as const;
  const planning = await measure(() => importFolder(sluice.call, { ...wish, dryRun: true }));
  const importing = await measure(() => importFolder(sluice.call, { ...wish, dryRun: false }));
  const again = await measure(() => importFolder(sluice.call, { ...wish, dryRun: false }));
  const exporting = await measure(() => exportFolder(sluice.call, { folder: target, force: false }));
  await sluice.close();
  remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  printTable(
    ['', 'notes/s', 'ms CPU a note', 'against a copy', 'against bare inserts'],
    Object.entries({ copying, inserting, planning, importing, 'importing again': again, exporting }).map(
      ([name, { ms, cpuMs }]) => [
        name,
        fixed((NOTES / ms) * 1000, 0),
        fixed(cpuMs / NOTES, 2),
        `${fixed(ms / copying.ms, 2)}×`,
        `${fixed(ms / inserting.ms, 1)}×`,
      ],
    ),
  );
  console.log(`${NOTES} notes of about 150 words in 60 folders; × is how many times as long it takes`);
}

async function measure(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

function writeNotes(folder: string): void {
  const words = 'river stone lantern copper meadow signal harbor window thread garden'.split(' ');
  for (let n = 0; n < NOTES; n += 1) {
    const body = Array.from({ length: 140 }, (_, i) => words[(n * 7 + i * i) % words.length]).join(' ');
    const path = join(folder, `Folder ${n % 60}`, `Note ${n}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      `---\ntags: [a, b${n % 9}]\nrating: ${n % 5}\n---\n# Note ${n}\n\n[[Note ${(n * 31) % NOTES}]] and [x](Note%20${(n * 17) % NOTES}.md).\n\n${body}\n`,
    );
  }
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

async function copyFiles(from: string, to: string): Promise<void> {
  for (const path of filesOf(from)) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    const file = await open(join(to, path), 'wx');
    await file.writeFile(readFileSync(join(from, path)));
    await file.sync();
    await file.close();
  }
}

function insertRaw(from: string, path: string): void {
  const database = new DatabaseSync(path);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table note (path text primary key, text text)',
  );
  const insert = database.prepare('insert into note values (?, ?)');
  database.exec('begin');
  for (const file of filesOf(from)) insert.run(file, readFileSync(join(from, file), 'utf8'));
  database.exec('commit');
  database.close();
}
