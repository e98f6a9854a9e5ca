/** Answers that are held, on both stores: sealed, bounded, given once, and gone when their time is over. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerGrant } from '../../src/app/local-grants.ts';
import { MAX_HELD } from '../../src/domain/governance/approvals/approval.ts';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import { bindWaiting } from '../support/waiting-family.ts';
import { openWholeApp, type WholeApp } from '../support/whole-app.ts';

const owner = ownerGrant('admin');

onEachStore('held answers', (under) => {
  const home = temporaryFolder();
  let now = Date.UTC(2026, 0, 1);
  let runs = 0;
  let whole: WholeApp | undefined;
  const open = (): Promise<WholeApp> =>
    openWholeApp(home, { ...UNLIMITED, ...under.config() }, { now: () => now }, [
      bindWaiting({
        ran: () => {
          runs += 1;
        },
      }),
    ]);
  beforeAll(async () => {
    if (under.available()) whole = await open();
  });
  afterAll(() => whole?.app.close());

  const ask = async (text: string): Promise<Record<string, unknown>> => {
    const target = { kind: 'tool', name: 'waiting.held', arguments: { text } } as const;
    const outcome = await (whole as WholeApp).ask(owner, target);
    if (!outcome.ok) return outcome.error.toWire();
    const { answer } = outcome;
    return { said: answer.kind === 'tool' ? answer.content : answer };
  };
  const decide = (id: unknown, decision = 'APPROVED_ONCE') =>
    (whole as WholeApp).call(owner, 'approval.decide', { id, decision, reason: 'a test' });
  const read = (id: unknown) => (whole as WholeApp).call(owner, 'approval.read', { id });
  const files = (): readonly string[] => {
    const folder = homeLayout(home).blobs;
    if (!existsSync(folder)) return [];
    const all = readdirSync(folder, { recursive: true, withFileTypes: true });
    return all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  };

  it('[APPR-15] are sealed where they lie', async () => {
    const { approval } = await ask('nobody reads this');
    expect(await read(approval)).toMatchObject({ excerpt: 'nobody reads this', rules: ['a-rule'] });
    expect(files()).toHaveLength(1);
    for (const path of files()) expect(readFileSync(path, 'latin1')).not.toContain('nobody');
    await decide(approval, 'REJECTED');
    expect(files()).toEqual([]);
  });

  it('[APPR-10] are given once, also after a restart, and never asked for again', async () => {
    const { approval } = await ask('once');
    const before = runs;
    await decide(approval);
    await whole?.app.close();
    whole = await open();
    const answers = await Promise.all([ask('once'), ask('once'), ask('once')]);
    const given = answers.filter(({ said }) => said !== undefined);
    expect(given).toEqual([{ said: [{ type: 'text', text: 'once' }] }]);
    // The other two found nothing to release, so they were calls of their own.
    expect(runs).toBe(before + 2);
    expect(await read(approval)).toMatchObject({ state: 'used', used_by_call: expect.any(String) });
  });

  it('[APPR-16] give way to a newer answer to the same call, and the oldest to the newest of all', async () => {
    const [first, second] = [await ask('same'), await ask('same')];
    expect(await read(first.approval)).toMatchObject({ state: 'expired' });
    expect(await read(second.approval)).toMatchObject({ state: 'pending' });
    // Several at a time, as many as one caller may.
    for (let i = 0; i < MAX_HELD; i += 8)
      await Promise.all(Array.from({ length: 8 }, (_, more) => ask(`many ${i + more}`)));
    expect(await read(second.approval)).toMatchObject({ state: 'expired' });
    expect(files()).toHaveLength(MAX_HELD);
  });

  it('[APPR-17] are gone when their time is over', async () => {
    now += 24 * 60 * 60_000;
    const { approval } = await ask('the next day');
    await decide(approval);
    await ask('the next day');
    expect(files()).toEqual([]);
  });
});
