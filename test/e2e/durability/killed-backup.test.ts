/** Backups and restores that are killed on their way: afterwards there is the old or the new, and nothing between. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import { expectConsistent } from '../../support/check-consistency.ts';
import { runAndKill } from '../../support/drill.ts';
import { runSluice, sluiceJson } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: soaking ? 1_800_000 : 240_000 });

const ROUNDS = times(5, 60);

async function homeWith(title: string): Promise<string> {
  const home = temporaryFolder();
  const long = await runSluice(home, ['page', 'create', title, '--file', '-'], {
    input: 'Some text. '.repeat(40_000),
  });
  expect(long).toMatchObject({ code: 0 });
  await sluiceJson(home, 'page', 'create', 'Marker', '--content', title);
  return home;
}

it(`[DUR-23] a killed backup is whole or not there, and the next one works, ${ROUNDS} times`, async () => {
  const random = randomFor('killed backup');
  const [home, place] = [await homeWith('Alpha'), temporaryFolder()];
  let cut = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const backup = join(place, `backup-${round}`);
    const begun = (): boolean => readdirSync(place).some((name) => name.includes(`backup-${round}`));
    await runAndKill(['backup', backup, '--home', home], begun, round === 0 ? 0 : random.between(0, 25));
    if (existsSync(backup))
      expect(await sluiceJson(home, 'restore', backup)).toMatchObject({ restored: false });
    else {
      cut += 1;
      await sluiceJson(home, 'backup', backup);
    }
    await expectConsistent(home, {});
    expect(readdirSync(place).filter((name) => name.startsWith('.backup'))).toEqual([]);
  }
  expect(cut).toBeGreaterThan(0);
});

it(`[DUR-24] a killed restore leaves the former or the restored data whole, ${ROUNDS} times`, async () => {
  const random = randomFor('killed restore');
  const place = temporaryFolder();
  const [one, home] = [await homeWith('One'), await homeWith('Two')];
  const backups: Record<string, string> = { One: join(place, 'one'), Two: join(place, 'two') };
  await sluiceJson(one, 'backup', join(place, 'one'));
  await sluiceJson(home, 'backup', join(place, 'two'));
  let now = 'Two';
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = now === 'One' ? 'Two' : 'One';
    const ended = await runAndKill(
      ['restore', backups[next] ?? '', '--yes', '--home', home],
      () => existsSync(homeLayout(home).incoming),
      random.between(0, 25),
    );
    const read = await runSluice(home, ['page', 'read', 'marker']);
    expect([read.code, [now, next].includes(read.stdout)]).toEqual([0, true]);
    if (ended) expect(read.stdout).toBe(next);
    now = read.stdout;
    expect(existsSync(homeLayout(home).incoming)).toBe(false);
    expect(await sluiceJson(home, 'audit', 'verify')).toMatchObject({ ok: true });
    await expectConsistent(home, {});
  }
});
