/** The master key is exchanged, on both stores: everything that stays is sealed anew, and the old key goes a day later. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerGrant, systemGrant } from '../../src/app/local-grants.ts';
import { sealCredential } from '../../src/app/seal-secret.ts';
import { slotPurpose } from '../../src/domain/providers/custody/credential-slot.ts';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { createKeyRing } from '../../src/drivers/home/key-ring.ts';
import { openKeys } from '../../src/drivers/home/keys.ts';
import { onEachStore } from '../support/each-store.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNLIMITED } from '../support/unlimited.ts';
import { bindWaiting } from '../support/waiting-family.ts';
import { openWholeApp, type WholeApp } from '../support/whole-app.ts';

const owner = ownerGrant('admin');
const DAY = 24 * 60 * 60 * 1000;
const SHARED = { ref: 'connector://one', user: null };
const OWN = { ref: 'connector://one', user: 'alice' };

onEachStore('the master key', (under) => {
  const home = temporaryFolder();
  const file = join(homeLayout(home).keys, 'master.key');
  let now = Date.UTC(2026, 0, 1);
  let whole: WholeApp | undefined;
  const open = (): Promise<WholeApp> =>
    openWholeApp(home, { ...UNLIMITED, ...under.config() }, { now: () => now }, [
      bindWaiting({ ran: () => undefined }),
    ]);
  const app = (): WholeApp => whole as WholeApp;
  const call = (name: string, input = {}) => app().call(owner, name, input);
  const forget = () => app().call(systemGrant(), 'credential.forget_keys');
  const restart = async (): Promise<void> => {
    await whole?.app.close();
    whole = await open();
  };
  beforeAll(async () => {
    if (!under.available()) return;
    whole = await open();
    for (const key of [SHARED, OWN]) {
      const sealed = sealCredential(home, key, `secret of ${key.user}`);
      await call('credential.set', { ref: key.ref, sealed, ...(key.user && { user: key.user }) });
    }
  });
  afterAll(() => whole?.app.close());

  const lines = (): readonly string[] => readFileSync(file, 'utf8').trim().split('\n');
  /** What each slot holds for who has these keys and nothing else. */
  async function opened(keys = openKeys(homeLayout(home).keys).secrets): Promise<readonly string[]> {
    const rows = await withRawDatabase(home, under.config(), (database) =>
      database.all<{ ref: string; user_name: string; sealed: string }>(
        'select * from credential_slot order by user_name',
      ),
    );
    return rows.map(({ ref, user_name, sealed }) => {
      try {
        return keys.open(sealed, slotPurpose({ ref, user: user_name || null }));
      } catch {
        return '(closed)';
      }
    });
  }
  const rotate = (further = {}) =>
    call('credential.rotate_key', { alone: under.kind === 'postgres', ...further });

  it('[CUST-13] opens everything as before once it was exchanged, and the old one nothing that stays', async () => {
    const token = await call('get_mcp_token');
    const [old = ''] = lines();
    expect(await rotate()).toMatchObject({ credentials: 2, owner_token: 1 });
    expect(await opened(createKeyRing(old, () => undefined))).toEqual(['(closed)', '(closed)']);
    for (const _ of ['running', 'started again']) {
      expect(await opened()).toEqual(['secret of null', 'secret of alice']);
      expect(await call('get_mcp_token')).toEqual(token);
      await restart();
    }
    const { records } = await call('audit.list', { tool_name: 'credential.rotate_key' });
    expect(records).toMatchObject([{ status: 'success', subject_type: 'author' }]);
  });

  it('[CUST-13] takes what was sealed a moment before it was exchanged', async () => {
    const late = sealCredential(home, OWN, 'given late');
    await rotate();
    await call('credential.set', { ...OWN, sealed: late });
    const [newest = ''] = lines();
    expect(await opened(createKeyRing(newest, () => undefined))).toEqual(['secret of null', 'given late']);
  });

  it('[CUST-13] still opens answers that were held before, and goes a day later, not sooner', async () => {
    const held = { kind: 'tool', name: 'waiting.held', arguments: { text: 'wait' } } as const;
    const first = await app().ask(owner, held);
    const approval = first.ok ? undefined : first.error.details.approval;
    await rotate();
    await restart();
    await call('approval.decide', { id: approval, decision: 'APPROVED_ONCE', reason: 'a test' });
    expect(await app().ask(owner, held)).toMatchObject({ ok: true });
    const before = lines();
    now += DAY;
    await forget();
    expect(lines()).toEqual(before);
    now += 1;
    await forget();
    expect(lines()).toEqual(before.slice(0, 1));
    await restart();
    expect(await opened()).toEqual(['secret of null', 'given late']);
  });

  it('[CUST-14] that was exchanged by halves loses nothing, however late that is noticed', async () => {
    await whole?.app.close();
    // As a crash leaves it between the new key and the unit that seals with it.
    openKeys(homeLayout(home).keys).secrets.renew(now);
    whole = await open();
    expect(await opened()).toEqual(['secret of null', 'given late']);
    now += DAY + 1;
    await forget();
    expect(lines()).toHaveLength(1);
    await restart();
    expect(await opened()).toEqual(['secret of null', 'given late']);
    expect(await call('get_mcp_token')).toMatchObject({ token: expect.any(String) });
  });

  it('[CUST-13] is not exchanged where others may have it, and by nobody but the owner', async () => {
    const before = lines();
    if (under.kind === 'postgres')
      await expect(call('credential.rotate_key')).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('--alone'),
      });
    await expect(app().call(owner, 'credential.forget_keys')).rejects.toMatchObject({ code: 'unknown_tool' });
    expect(lines()).toEqual(before);
  });
});
