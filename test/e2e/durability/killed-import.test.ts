/** The real program, killed in the middle of an import: run again, it leaves what one undisturbed import leaves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, expect, it, vi } from 'vitest';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore } from '../../support/each-store.ts';
import { generateVault, writeVault } from '../../support/generate-vault.ts';
import { runSluice, SLUICE } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { type RawDatabase, withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 3_600_000 : 240_000, hookTimeout: 240_000 });

const ROUNDS = times(2, 20);
const NOTES = times(450, 1_500);

onEachStore('a killed import', (under) => {
  const folder = temporaryFolder();
  const random = randomFor(`killed import on ${under.kind}`);
  const home = temporaryFolder();
  beforeAll(() => writeVault(folder, generateVault(random, NOTES)));
  let killed = 0;

  it(`[IMP-19] goes on where it was, ${ROUNDS} times`, async () => {
    const workspace = (name: string): string[] => ['--workspace', name];
    const run = async (...args: string[]) => {
      const { code, stderr } = await runSluice(home, args, { env: under.environment() });
      expect(code, stderr).toBe(0);
    };
    await run('workspace', 'create', 'clean');
    await run('workspace', 'open', 'clean');
    await run('import', folder, ...workspace('clean'));
    for (let round = 0; round < ROUNDS; round += 1) {
      await run('workspace', 'create', `round ${round}`);
      await run('workspace', 'open', `round ${round}`);
      const child = spawn(SLUICE, ['import', folder, ...workspace(`round ${round}`)], {
        env: { ...process.env, SLUICE_HOME: home, ...under.environment() },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      await untilPages(`round ${round}`, random.between(1, NOTES - 150), () => child.exitCode !== null);
      await new Promise((resolve) => setTimeout(resolve, random.between(0, 60)));
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') killed += 1;
      await run('import', folder, ...workspace(`round ${round}`));
      expect(await look((database) => contents(database, `round ${round}`))).toEqual(
        await look((database) => contents(database, 'clean')),
      );
    }
    expect(killed).toBeGreaterThan(0);
    await expectConsistent(home, under.config());
  });

  const look = <T>(work: (database: RawDatabase) => Promise<T>): Promise<T> =>
    withRawDatabase(home, under.config(), work);

  async function untilPages(name: string, count: number, isOver: () => boolean): Promise<void> {
    const pages = (database: RawDatabase) =>
      database.all<{ n: number }>(
        `select count(*) as n from page join workspace on workspace.id = workspace_id where name = '${name}'`,
      );
    while (!isOver() && Number((await look(pages))[0]?.n) < count)
      await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

/** Everything but ids and times. */
async function contents(database: RawDatabase, name: string): Promise<unknown> {
  const own = `join workspace on workspace.id = page.workspace_id where workspace.name = '${name}'`;
  return {
    pages: await database.all(
      `select page.file_path, parent.file_path as parent, page.title, page.slug, page.content, page.tags,
        page.properties, page.lifecycle, page.origin, page.words
       from page left join page parent on parent.id = page.parent_id ${own} order by page.file_path`,
    ),
    links: await database.all(
      `select page.file_path, ordinal, status, target.file_path as target from page_link
       join page on page.id = source_id left join page target on target.id = target_id ${own}
       order by page.file_path, ordinal`,
    ),
    files: await database.all(
      `select page.file_path, page.digest, page.parts from attachment page ${own} order by page.file_path`,
    ),
  };
}
