/** Where credentials are kept, on both databases. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CredentialSlot } from '../../src/domain/providers/custody/credential-slot.ts';
import { createSlotDirectory } from '../../src/domain/providers/custody/slot-directory.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const slot = (ref: string, user: string | null, sealed = 'x'): CredentialSlot => ({
  ref,
  user,
  kind: 'secret',
  sealed,
  facts: null,
  createdAt: 1,
  updatedAt: 2,
});

onEachStore('credential slots', (under) => {
  const folder = temporaryFolder();
  let at: TestStore;
  beforeAll(async () => {
    if (under.available()) at = await openTestStore(under, folder);
  });
  afterAll(() => at?.close());
  const put = (one: CredentialSlot) => at.store.units.write({}, (tx) => at.store.slots.put(tx, one));
  const all = () => at.store.units.read((scope) => at.store.slots.all(scope));

  it('[CUST-09] keep one credential for all and one for each user apart', async () => {
    await put(slot('connector://b', null));
    await put(slot('connector://a', 'zoe', 'of zoe'));
    await put(slot('connector://a', null, 'of all'));
    await put({ ...slot('connector://a', 'amy'), kind: 'oauth', facts: factsOf() });
    expect((await all()).map(({ ref, user, sealed }) => [ref, user, sealed])).toEqual([
      ['connector://a', null, 'of all'],
      ['connector://a', 'amy', 'x'],
      ['connector://a', 'zoe', 'of zoe'],
      ['connector://b', null, 'x'],
    ]);
    expect((await all())[1]?.facts).toEqual(factsOf());
  });

  it('[CUST-09] are replaced and emptied one by one, and others hear of it', async () => {
    const directory = await createSlotDirectory({ units: at.store.units, store: at.store.slots });
    await put(slot('connector://a', 'zoe', 'another'));
    expect(directory.find({ ref: 'connector://a', user: 'zoe' })?.sealed).toBe('of zoe');
    await directory.refresh();
    expect(directory.find({ ref: 'connector://a', user: 'zoe' })?.sealed).toBe('another');
    const remove = (user: string | null) =>
      at.store.units.write({}, (tx) => at.store.slots.remove(tx, { ref: 'connector://a', user }));
    expect([await remove('zoe'), await remove('zoe'), await remove('nobody')]).toEqual([true, false, false]);
    await directory.refresh();
    expect(directory.all().map(({ user }) => user)).toEqual([null, 'amy', null]);
    expect(directory.find({ ref: 'connector://a', user: 'zoe' })).toBeUndefined();
  });
});

const factsOf = () => ({
  issuer: 'https://as.example',
  resource: 'https://rs.example/mcp',
  scopes: ['a', 'b'],
  expiresAt: 5,
  renewable: true,
});
