/** The master key is exchanged and the program killed on the way: every value has its key, the old one or the new. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ownerGrant, systemGrant } from '../../../src/app/local-grants.ts';
import { sealCredential } from '../../../src/app/seal-secret.ts';
import { slotPurpose } from '../../../src/domain/providers/custody/credential-slot.ts';
import { homeLayout } from '../../../src/drivers/home/home-layout.ts';
import { openKeys } from '../../../src/drivers/home/keys.ts';
import { runAndKill } from '../../support/drill.ts';
import { runSluice, sluiceJson } from '../../support/process.ts';
import { randomFor, soaking, times } from '../../support/random.ts';
import { withRawDatabase } from '../../support/raw-database.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openWholeApp } from '../../support/whole-app.ts';

vi.setConfig({ testTimeout: soaking ? 1_800_000 : 240_000 });

const ROUNDS = times(4, 60);
const CREDENTIALS = 60;

it('[CUST-14] an exchange that is killed at any moment leaves every credential its key', async () => {
  const home = temporaryFolder();
  const random = randomFor('kill-rotate-key');
  const whole = await openWholeApp(home);
  for (let i = 0; i < CREDENTIALS; i += 1) {
    const ref = `connector://number-${i}`;
    const sealed = sealCredential(home, { ref, user: null }, `secret ${ref}`);
    await whole.call(ownerGrant('admin'), 'credential.set', { ref, sealed });
  }
  await whole.app.close();
  const token = (await runSluice(home, ['token', 'show'])).stdout;
  const { keys } = homeLayout(home);
  const file = join(keys, 'master.key');

  const requireAll = async (): Promise<void> => {
    const { secrets } = openKeys(keys);
    const slots = await withRawDatabase(home, {}, (database) =>
      database.all<{ ref: string; sealed: string }>('select ref, sealed from credential_slot'),
    );
    expect(slots).toHaveLength(CREDENTIALS);
    for (const { ref, sealed } of slots)
      expect(secrets.open(sealed, slotPurpose({ ref, user: null }))).toBe(`secret ${ref}`);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = readFileSync(file, 'utf8');
    const begun = (): boolean => readFileSync(file, 'utf8') !== before;
    await runAndKill(['credential', 'rotate-key', '--home', home], begun, random.between(0, 25));
    await requireAll();
    // Sixteen exchanges in a day are refused.
    if (round % 8 === 7) await forgetAll(home);
  }
  expect(await sluiceJson(home, 'credential', 'rotate-key')).toMatchObject({ owner_token: 1 });
  await requireAll();
  expect((await runSluice(home, ['token', 'show'])).stdout).toBe(token);
  expect(await sluiceJson(home, 'audit', 'verify')).toMatchObject({ ok: true });
});

/** As a day later. */
async function forgetAll(home: string): Promise<void> {
  const later = Date.now() + 25 * 60 * 60 * 1000;
  const whole = await openWholeApp(home, {}, { now: () => later });
  await whole.call(systemGrant(), 'credential.forget_keys');
  await whole.app.close();
}
