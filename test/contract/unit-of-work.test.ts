/** The unit of work: what every store promises to whoever reads and writes through it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessRule } from '../../src/domain/governance/access-rules.ts';
import { SluiceError } from '../../src/kernel/errors.ts';
import type { RuleId, WorkspaceId } from '../../src/kernel/ids.ts';
import type { ReadScope, WriteTx } from '../../src/kernel/ports/unit-of-work.ts';
import { onEachStore } from '../support/each-store.ts';
import { randomFor } from '../support/random.ts';
import { withRawDatabase } from '../support/raw-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addWorkspace, entryOf, openTestStore, type TestStore } from '../support/test-store.ts';

const failure = new Error('this unit fails by itself');

const rule: AccessRule = {
  id: 'twice' as RuleId,
  subjectType: 'role',
  subjectId: null,
  resourceType: 'tool',
  pattern: '*',
  effect: 'deny',
  priority: 1,
  reason: '',
};

onEachStore('the unit of work', (under) => {
  const folder = temporaryFolder();
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, folder);
  });
  afterAll(() => test?.close());

  const put = (tx: WriteTx, key: string, value: unknown) => test.store.governance.putSetting(tx, key, value);
  const readIn = async (scope: ReadScope, key: string): Promise<unknown> =>
    (await test.store.governance.load(scope)).settings.get(key);
  const read = (key: string): Promise<unknown> => test.store.units.read((scope) => readIn(scope, key));
  const write = <T>(unit: (tx: WriteTx) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    test.store.units.write({ signal }, unit);

  it('[STORE-01] runs units one after the other, however many arrive at once', async () => {
    const random = randomFor('serialised units');
    let inside = 0;
    let most = 0;
    const workspaces = [undefined, await addWorkspace(test, 'one'), await addWorkspace(test, 'two')] as const;
    const increment = (workspace: WorkspaceId | undefined): Promise<void> =>
      test.store.units.write({ workspace }, async (tx) => {
        inside += 1;
        most = Math.max(most, inside);
        const before = Number((await readIn(tx, 'counter')) ?? 0);
        for (let i = random.between(0, 3); i > 0; i -= 1) await test.store.governance.version(tx);
        await put(tx, 'counter', before + 1);
        inside -= 1;
      });
    await Promise.all(Array.from({ length: 120 }, () => increment(random.pick(workspaces))));
    expect(await read('counter')).toBe(120);
    expect(most).toBe(1);
  });

  it('[STORE-02] rolls a failing unit back alone, and those in its batch land', async () => {
    const units = [
      write((tx) => put(tx, 'first', 1)),
      write(async (tx) => {
        await put(tx, 'failing', 1);
        throw failure;
      }),
      write(async (tx) => {
        await put(tx, 'breaking', 1);
        // The database refuses the second one.
        await test.store.governance.putRule(tx, rule);
        await test.store.governance.putRule(tx, rule);
      }),
      write((tx) => put(tx, 'last', 1)),
      test.store.audit.append(entryOf({ call_id: 'beside-failing-units' })),
    ];
    const settled = await Promise.allSettled(units);
    expect(settled.map((one) => one.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect((settled[1] as PromiseRejectedResult).reason).toBe(failure);
    expect(await Promise.all(['first', 'failing', 'breaking', 'last'].map(read))).toEqual([
      1,
      undefined,
      undefined,
      1,
    ]);
    const rules = (await test.store.units.read((scope) => test.store.governance.load(scope))).rules;
    expect(rules).toEqual([]);
  });

  it('[STORE-02] keeps all or nothing of a unit that hides a failed statement, and its neighbours land', async () => {
    const units = [
      write(async (tx) => {
        await put(tx, 'before hiding', 1);
        await test.store.governance.putRule(tx, rule);
        await test.store.governance.putRule(tx, rule).catch(() => undefined);
      }),
      write((tx) => put(tx, 'beside hiding', 1)),
    ];
    const [hiding, neighbour] = await Promise.allSettled(units);
    const { rules, settings } = await test.store.units.read((scope) => test.store.governance.load(scope));
    const kept = hiding?.status === 'fulfilled';
    expect([settings.get('before hiding'), rules.length]).toEqual(kept ? [1, 1] : [undefined, 0]);
    expect([neighbour?.status, settings.get('beside hiding')]).toEqual(['fulfilled', 1]);
  });

  it('[STORE-03] does what was left for after the commit once it is durable and before it answers', async () => {
    const seen: unknown[] = [];
    const answered = write(async (tx) => {
      await put(tx, 'durable', 'yes');
      tx.afterCommit(async () => {
        const [row] = await withRawDatabase(folder, under.config(), (database) =>
          database.all(`select value from setting where key = 'durable'`),
        );
        seen.push(row?.value);
      });
      tx.afterCommit(() => {
        seen.push('second');
      });
    }).then(() => seen.push('answered'));
    await answered;
    expect(seen).toEqual(['"yes"', 'second', 'answered']);
  });

  it('[STORE-03] leaves it undone when the unit is rolled back', async () => {
    let ran = false;
    const unit = write(async (tx) => {
      tx.afterCommit(() => {
        ran = true;
      });
      throw failure;
    });
    await expect(unit).rejects.toBe(failure);
    await write(async () => undefined);
    expect(ran).toBe(false);
  });

  it('[STORE-03] answers a durable unit even if what came after it failed', async () => {
    const unit = write(async (tx) => {
      await put(tx, 'kept', 1);
      tx.afterCommit(() => Promise.reject(failure));
      return 'done';
    });
    await expect(unit).resolves.toBe('done');
    expect(await read('kept')).toBe(1);
    expect(test.logged).toContain('after_commit_failed');
  });

  it('[STORE-04] does not begin a unit that was given up while it waited', async () => {
    const giveUp = new AbortController();
    let ran = false;
    const first = write((tx) => put(tx, 'goes on', 1));
    const second = write(async () => {
      ran = true;
    }, giveUp.signal);
    giveUp.abort(failure);
    expect(await Promise.allSettled([first, second])).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: failure },
    ]);
    expect(ran).toBe(false);
  });

  it('[STORE-04] lets a unit that is given up write nothing more and keeps nothing of it', async () => {
    const giveUp = new AbortController();
    const unit = write(async (tx) => {
      await put(tx, 'half', 1);
      giveUp.abort(failure);
      await put(tx, 'other half', 1);
    }, giveUp.signal);
    await expect(unit).rejects.toBe(failure);
    expect(await read('half')).toBeUndefined();
  });

  it('[STORE-05] refuses a scope after its end', async () => {
    const scope = await test.store.units.read(async (given) => given);
    await expect(readIn(scope, 'x')).rejects.toThrow('after its end');
    const tx = await write(async (given) => given);
    await expect(put(tx, 'late', 1)).rejects.toThrow('after its end');
    await expect(test.store.audit.appendWith(tx, entryOf())).rejects.toThrow('after its end');
    const failed: WriteTx[] = [];
    const unit = write(async (given) => {
      failed.push(given);
      throw failure;
    });
    await expect(unit).rejects.toBe(failure);
    await expect(put(failed[0] as WriteTx, 'later', 1)).rejects.toThrow('after its end');
    expect(await read('late')).toBeUndefined();
  });

  it('[STORE-05] refuses to write with a scope that only reads', async () => {
    const attempt = test.store.units.read((scope) => put(scope as WriteTx, 'sneaked', 1));
    await expect(attempt).rejects.toThrow('without a transaction');
    await expect(put({} as WriteTx, 'sneaked', 1)).rejects.toThrow('without a transaction');
    await expect(readIn({} as ReadScope, 'sneaked')).rejects.toThrow('of another store');
  });

  it('[LINK-42] answers a read while a long unit that breathes is still running, with the state before it', async () => {
    await write((tx) => put(tx, 'long', 'old'));
    let seen: unknown;
    await write(async (tx) => {
      await put(tx, 'long', 'new');
      const asked = read('long').then((value) => {
        seen = value;
      });
      // Busy, as a long unit is; only breathing lets the read be answered at all.
      for (let turns = 0; seen === undefined && turns < 3_000; turns += 1) {
        await tx.breathe();
        for (const until = performance.now() + 1; performance.now() < until; );
      }
      expect(seen).toBe('old');
      await asked;
    });
    expect(await read('long')).toBe('new');
  });

  it('[STORE-07] shows a reader one state from its first statement to its last', async () => {
    await write((tx) => put(tx, 'shown', 'old'));
    const [before, after] = await test.store.units.read(async (scope) => {
      const first = await readIn(scope, 'shown');
      await write((tx) => put(tx, 'shown', 'new'));
      return [first, await readIn(scope, 'shown')];
    });
    expect([before, after]).toEqual(['old', 'old']);
    expect(await read('shown')).toBe('new');
  });

  it('[STORE-07] serves more readers than there are connections, and a failing one takes none with it', async () => {
    const reads = Array.from({ length: 60 }, (_, i) =>
      test.store.units.read(async (scope) => {
        await readIn(scope, 'shown');
        if (i % 3 === 0) throw failure;
        return i;
      }),
    );
    const settled = await Promise.allSettled(reads);
    expect(settled.filter((one) => one.status === 'fulfilled')).toHaveLength(40);
    expect(await read('shown')).toBe('new');
  });

  it('[STORE-10] refuses text with a NUL character with words of its own, whichever store it is', async () => {
    const refused = { code: 'invalid_input' };
    const units = [
      write((tx) => put(tx, 'with\0nul', 1)),
      write(async (tx) => {
        await put(tx, 'nul in a later statement', 1);
        await test.store.workspaces.setOpened(tx, 'no\0id' as WorkspaceId, 1);
      }),
      write((tx) => put(tx, 'beside nul', 1)),
    ];
    const [first, second, third] = await Promise.allSettled(units);
    expect(first).toMatchObject({ status: 'rejected', reason: refused });
    expect(second).toMatchObject({ status: 'rejected', reason: refused });
    expect(third).toMatchObject({ status: 'fulfilled' });
    const reading = test.store.units.read((scope) =>
      test.store.pages.find(scope, 'w\0' as never, 'p' as never),
    );
    await expect(reading).rejects.toMatchObject(refused);
    expect(await read('nul in a later statement')).toBeUndefined();
    expect(await read('beside nul')).toBe(1);
  });

  it('[STORE-11] finishes what it accepted before it closes, and accepts nothing more', async () => {
    const closing = await openTestStore(under, temporaryFolder());
    const { store } = closing;
    const accepted = Array.from({ length: 20 }, (_, i) =>
      store.units.write({}, (tx) => store.governance.putSetting(tx, `accepted ${i}`, i)),
    );
    const recorded = store.audit.append(entryOf({ call_id: 'accepted' }));
    const closed = store.close();
    await expect(store.units.write({}, async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.audit.append(entryOf())).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => store.audit.reserve()).toThrow(SluiceError);
    await Promise.all([...accepted, recorded, closed]);
    closing.heads.close();
    const reopened = await openTestStore(under, closing.layout.root);
    const { settings } = await reopened.store.units.read((scope) => reopened.store.governance.load(scope));
    await reopened.close();
    expect(settings.get('accepted 19')).toBe(19);
  });
});

describe('the unit of work where nothing else can make it wait', () => {
  const under = {
    kind: 'sqlite',
    config: () => ({}),
    environment: () => ({}),
    available: () => true,
  } as const;

  it('[STORE-06] refuses a unit that waits for a timer, and keeps nothing of it', async () => {
    const test = await openTestStore(under, temporaryFolder());
    const { store } = test;
    const waiting = store.units.write({}, async (tx) => {
      await store.governance.putSetting(tx, 'waited', 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await store.governance.putSetting(tx, 'waited', 2);
    });
    const beside = store.units.write({}, (tx) => store.governance.putSetting(tx, 'beside', 1));
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
    await beside;
    const { settings } = await store.units.read((scope) => store.governance.load(scope));
    await test.close();
    expect([settings.get('waited'), settings.get('beside')]).toEqual([undefined, 1]);
  });
});
