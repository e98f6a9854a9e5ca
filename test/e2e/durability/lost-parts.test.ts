/** A home of which somebody removed a part: it says so, and makes nothing in the place of what is gone. */
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import { onEachStore } from '../../support/each-store.ts';
import { runSluice } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const UNAVAILABLE = 6;

onEachStore('a home that lost a part', (under) => {
  const home = join(temporaryFolder(), 'home');
  const layout = homeLayout(home);
  const sluice = (...command: string[]) => runSluice(home, command, { env: under.environment() });
  beforeAll(async () => {
    if (!under.available()) return;
    expect(await sluice('page', 'create', 'Kept')).toMatchObject({ code: 0 });
  });

  it.each(['master.key', 'audit.pem', 'writer'])('[DUR-40] names the key %s', async (name) => {
    const [path, aside] = [join(layout.keys, name), join(temporaryFolder(), name)];
    cpSync(path, aside);
    rmSync(path);
    for (const command of [['page', 'tree'], ['token', 'show'], ['serve']]) {
      const told = await sluice(...command);
      expect(told).toMatchObject({ code: UNAVAILABLE, stdout: '', stderr: expect.stringContaining(path) });
      expect(told.stderr).toContain('sluice restore');
    }
    expect(existsSync(path)).toBe(false);
    cpSync(aside, path);
    expect((await sluice('page', 'tree')).stdout).toContain('Kept');
  });

  if (under.kind !== 'sqlite') return;
  it('[DUR-40] names the database, where it is a file of the home', async () => {
    const aside = temporaryFolder();
    const files = readdirSync(layout.data).filter((name) => name.startsWith('sluice.db'));
    for (const name of files) renameSync(join(layout.data, name), join(aside, name));
    for (const command of [['page', 'tree'], ['serve']]) {
      const told = await sluice(...command);
      expect(told).toMatchObject({
        code: UNAVAILABLE,
        stdout: '',
        stderr: expect.stringContaining(layout.database),
      });
      expect(told.stderr).toContain('sluice restore');
    }
    expect(existsSync(layout.database)).toBe(false);
    for (const name of files) renameSync(join(aside, name), join(layout.data, name));
    expect((await sluice('page', 'tree')).stdout).toContain('Kept');
    expect((await sluice('audit', 'verify')).code).toBe(0);
  });
});
