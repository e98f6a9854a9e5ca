import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type SluiceClient } from './create-sluice.ts';

const IDLE = 30 * 60 * 1000;

const runOf = async (client: SluiceClient): Promise<unknown> => (await client.call('get_my_scopes')).run;

describe('[PIPE-30] the run of a client that names none', () => {
  it('lasts over a restart until it was idle for half an hour, by the log', async () => {
    let now = Date.UTC(2026, 0, 1);
    const home = temporaryFolder();
    const clock = { now: () => now };
    const first = await createSluice({ home, clock });
    const run = await runOf(first.as({ name: 'ann' }));
    const other = await runOf(first.as({ name: 'bob' }));
    expect(run).not.toBe(other);
    await first.close();

    now += IDLE - 1;
    const second = await createSluice({ home, clock });
    expect(await runOf(second.as({ name: 'ann' }))).toBe(run);
    now += IDLE - 1;
    expect(await runOf(second.as({ name: 'ann' }))).toBe(run);
    await second.close();

    now += IDLE + 1;
    const third = await createSluice({ home, clock });
    const later = await runOf(third.as({ name: 'ann' }));
    expect(later).not.toBe(run);
    now += IDLE;
    expect(await runOf(third.as({ name: 'ann' }))).not.toBe(later);
    await third.close();
  });

  it('is not touched by an explanation of what the client may do', async () => {
    let now = Date.UTC(2026, 0, 1);
    const sluice = await createSluice({ home: temporaryFolder(), clock: { now: () => now } });
    await sluice.call('client.add', { name: 'ann' });
    const run = await runOf(sluice.as({ name: 'ann' }));
    now += IDLE - 1;
    await sluice.call('policy.explain', { caller: 'ann', tool: 'read_page' });
    now += 1;
    expect(await runOf(sluice.as({ name: 'ann' }))).not.toBe(run);
    await sluice.close();
  });
});
