/** What a person at a terminal sees while files go in and out; a program sees nothing of it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSluice, SLUICE } from '../../support/process.ts';
import { skipUnless } from '../../support/skip.ts';
import { writeFiles } from '../../support/synced-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

skipUnless(hasScript(), 'there is no "script" to make a terminal with');

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version']);
    return true;
  } catch {
    return false;
  }
}

it('[SYNC-18] shows a bar for import, export and sync on a terminal, and none without', async () => {
  const [home, folder, target] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const atTerminal = (...args: string[]): string =>
    execFileSync('script', ['-qec', [SLUICE, ...args].join(' '), '/dev/null'], {
      env: { ...process.env, SLUICE_HOME: home },
      encoding: 'utf8',
    });
  writeFiles(folder, { 'A.md': 'a', 'B.md': 'b', 'x.png': Buffer.from([255]) });
  const full = /\[#{24}\] 100 % {2}3 of 3 files/;
  expect(atTerminal('import', folder)).toMatch(full);
  expect(atTerminal('export', join(target, 'out'))).toMatch(full);
  writeFiles(folder, { 'A.md': 'a2', 'B.md': 'b2', 'C.md': 'c' });
  expect(atTerminal('sync', folder, '--once')).toMatch(/\[#{24}\] 100 % {2}\d of \d files/);
  writeFiles(folder, { 'A.md': 'a3' });
  const { stdout, stderr } = await runSluice(home, ['sync', folder, '--once']);
  expect(stdout + stderr).not.toContain('[#');
});
