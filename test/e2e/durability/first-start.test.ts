/** A new home whose very first start is killed: whatever it left, the next start makes a whole home of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { expectConsistent } from '../../support/check-consistency.ts';
import { onEachStore } from '../../support/each-store.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { findPostgres } from '../../support/postgres-broker.ts';
import { runSluice, SLUICE } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 1_800_000 : 180_000 });

const ROUNDS = times(6, 60);

onEachStore('a first start that is killed', (under) => {
  it(`[DUR-13] leaves a home that opens, has its token and one open workspace, ${ROUNDS} times`, async () => {
    const random = randomFor(`first start on ${under.kind}`);
    for (let round = 0; round < ROUNDS; round += 1) {
      const home = temporaryFolder();
      const { config, env, drop } = await place(home);
      // Killed once or twice, at moments from before the first file to after the last.
      for (let kills = random.between(1, 2); kills > 0; kills -= 1) {
        const child = spawn(SLUICE, ['token', 'show', '--home', home], {
          env: { ...process.env, ...env },
          stdio: 'ignore',
        });
        const ended = once(child, 'exit');
        const timer = setTimeout(() => child.kill('SIGKILL'), random.between(150, 900));
        await ended;
        clearTimeout(timer);
      }
      const shown = await runSluice(home, ['token', 'show'], { env });
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/) });
      const list = await runSluice(home, ['workspace', 'list', '--json'], { env });
      expect(JSON.parse(list.stdout)).toMatchObject({ workspaces: [{ name: 'default', open: true }] });
      const made = await runSluice(home, ['page', 'create', 'First'], { env, input: 'Text.\n' });
      expect(made).toMatchObject({ code: 0 });
      await expectConsistent(home, config);
      await drop();
    }
  });

  async function place(home: string) {
    if (under.kind === 'sqlite')
      return { config: {}, env: { SLUICE_HOME: home }, drop: async (): Promise<void> => undefined };
    const found = await findPostgres();
    const { url, drop } = await freshDatabase(found.url ?? '');
    const config = { 'store.kind': 'postgres', 'store.url': url } as const;
    return { config, env: { SLUICE_HOME: home, SLUICE_STORE: 'postgres', SLUICE_STORE_URL: url }, drop };
  }
});
