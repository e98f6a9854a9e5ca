/**
 * How many files a second a sync takes in, looks at again and writes out; the baseline is to read and hash the same
 * files. With SLUICE_VAULT_DIR a folder of your own is measured, a copy of it.
 */
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SyncWish, syncOnce } from '../src/app/sync/sync-folder.ts';
import { createSluice, type Sluice } from '../src/index.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { newHome } from './measure/sluice.ts';
import { fixed, printTable } from './measure/table.ts';

const NOTES = 3_000;

export async function sync(): Promise<void> {
  const { home, remove } = newHome();
  const folders = ['source', 'target'].map((name) => mkdtempSync(join(tmpdir(), `sluice-${name}-`)));
  const [source = '', target = ''] = folders;
  const given = process.env.SLUICE_VAULT_DIR;
  if (given === undefined) writeNotes(source);
  else
    cpSync(given, source, { recursive: true, filter: (path) => !/\/(\.git|node_modules)(\/|$)/.test(path) });
  // Rested, as a vault is that nobody is just writing to.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const files = filesOf(source);
  const sluice = await createSluice({ home });
  const hashing = await measure(async () => hashFiles(source, files));
  const first = await measure(() => syncFolder(sluice, home, source));
  const again = await measure(() => syncFolder(sluice, home, source));
  for (const path of files.slice(0, CHANGED)) writeFileSync(join(source, path), 'changed\n', { flag: 'a' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const changed = await measure(() => syncFolder(sluice, home, source));
  const out = await measure(() => syncFolder(sluice, home, target));
  await sluice.close();
  remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  const rows = {
    'reading and hashing': hashing,
    'first sync': first,
    'again, unchanged': again,
    [`${CHANGED} changed`]: changed,
    'into an empty folder': out,
  };
  printTable(
    ['', 'ms', 'files/s', 'ms CPU a file', 'against reading and hashing'],
    Object.entries(rows).map(([name, { ms, cpuMs }]) => [
      name,
      fixed(ms, 0),
      fixed((files.length / ms) * 1000, 0),
      fixed(cpuMs / files.length, 2),
      `${fixed(ms / hashing.ms, 1)}×`,
    ]),
  );
  console.log(`${files.length} files; × is how many times as long it takes`);
}

const CHANGED = 20;

const syncFolder = (sluice: Sluice, home: string, folder: string) => {
  const wish: SyncWish = {
    folder,
    home,
    dialect: 'obsidian',
    candidates: false,
    clock: systemClock,
    onProgress: () => undefined,
  };
  return syncOnce({ withTools: (work) => work(sluice.call), followWorkspace: async () => undefined }, wish);
};

async function measure(work: () => Promise<unknown>): Promise<{ ms: number; cpuMs: number }> {
  const [begun, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

function hashFiles(folder: string, files: readonly string[]): void {
  for (const path of files)
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex');
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

function writeNotes(folder: string): void {
  const words = 'river stone lantern copper meadow signal harbor window thread garden'.split(' ');
  for (let n = 0; n < NOTES; n += 1) {
    const body = Array.from({ length: 140 }, (_, i) => words[(n * 7 + i * i) % words.length]).join(' ');
    const path = join(folder, `Folder ${n % 60}`, `Note ${n}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      `# Note ${n}\n\n[[Note ${(n * 31) % NOTES}]] and [x](Note%20${(n * 17) % NOTES}.md).\n\n${body}\n`,
    );
  }
}
