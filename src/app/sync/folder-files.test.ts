/** Beside a checkout, which looks at a file once and then writes over whatever is there. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { times } from '../../../test/support/random.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { FolderFiles } from './folder-files.ts';
import { readStable } from './read-stable.ts';

/** Tells which texts it wrote over without having looked at them. */
const CHECKOUT = `
  const { openSync, closeSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } = require('node:fs');
  const { parentPort, workerData: { lock, file, grave, sign, isNew } } = require('node:worker_threads');
  const wait = (most) => {
    const until = performance.now() + Math.random() * most;
    while (performance.now() < until);
  };
  const take = () => {
    try {
      renameSync(file, grave);
    } catch {
      return undefined;
    }
    const text = readFileSync(grave, 'utf8');
    unlinkSync(grave);
    return text;
  };
  for (let n = 0; ; n += 1) {
    // It begins when the other one is about to write, or the two would hardly ever meet.
    while (readdirSync(sign).length === 0);
    wait(0.2);
    closeSync(openSync(lock, 'wx'));
    const seen = isNew ? take() && undefined : readFileSync(file, 'utf8');
    wait(0.3);
    const found = take();
    writeFileSync(file, 'checked out ' + n);
    if (isNew) unlinkSync(file);
    if (found !== seen) parentPort.postMessage(found);
    unlinkSync(lock);
  }
`;

it.each([
  ['replaced', false],
  ['created', true],
])(
  '[SYNC-12] says of no file that it was %s if a checkout wrote over it',
  async (_, isNew) => {
    const root = temporaryFolder();
    mkdirSync(join(root, '.git'));
    const file = join(root, 'A.md');
    if (!isNew) writeFileSync(file, 'first');
    const files = new FolderFiles(root, () => '2026-01-01');
    await files.recover();
    const lost: string[] = [];
    const workerData = {
      lock: join(root, '.git', 'index.lock'),
      file,
      grave: join(root, 'grave'),
      sign: join(root, '.sluice', isNew ? 'drafts' : 'replaced'),
      isNew,
    };
    const checkout = new Worker(CHECKOUT, { eval: true, workerData });
    checkout.on('message', (text: string) => lost.push(text));
    const done = new Set<string>();
    try {
      // On a busy machine the two may miss each other for long.
      for (let n = 0; n < times(400, 10_000) && lost.length < times(20, 200); n += 1) {
        const bytes = Buffer.from(`ours ${n}`);
        if (isNew) {
          if ((await files.create('A.md', bytes)) === 'done') done.add(`ours ${n}`);
          continue;
        }
        const seen = await readStable(root, 'A.md');
        if (typeof seen !== 'object') continue;
        if ((await files.replace({ ...seen, path: 'A.md', isNote: true }, bytes)) === 'done')
          done.add(`ours ${n}`);
      }
    } finally {
      await checkout.terminate();
    }
    expect(done.size).toBeGreaterThan(0);
    expect(lost.filter((text) => done.has(text))).toEqual([]);
  },
  600_000,
);
