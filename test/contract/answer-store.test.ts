/** Answers that were too long, on both stores: found by their handle, bounded by age, number and size. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { KeptAnswer } from '../../src/domain/providers/ports/answer-store.ts';
import { onEachStore } from '../support/each-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const DAY = 24 * 60 * 60 * 1000;

const answer = (id: string, createdAt: number, given: Partial<KeptAnswer> = {}): KeptAnswer => ({
  id,
  principal: 'client:ann',
  provider: 'files',
  tool: 'read_file',
  parts: [{ name: 'text', mimeType: 'text/plain', digest: `sha256:${id}`, bytes: 100 }],
  bytes: 100,
  createdAt,
  ...given,
});

onEachStore('kept answers', (under) => {
  let test: TestStore;
  beforeAll(async () => {
    if (under.available()) test = await openTestStore(under, temporaryFolder());
  });
  afterAll(() => test?.close());

  it('[BLOB-04] go when they are too old, too many for one caller, or too large together', async () => {
    const { units, answers } = test.store;
    const put = (one: KeptAnswer) => units.write({}, (tx) => answers.put(tx, one));
    const trim = (perPrincipal: number, bytesInAll: number) =>
      units.write({}, (tx) => answers.trim(tx, { before: DAY, perPrincipal, bytesInAll }));
    const there = (id: string) => units.read((scope) => answers.find(scope, id));
    await put(answer('old', 5));
    await put(answer('a', DAY + 1));
    await put(answer('b', DAY + 2));
    await put(answer('c', DAY + 3));
    await put(answer('other', DAY + 1, { principal: 'client:bob', provider: 'web' }));
    expect(await there('a')).toEqual(answer('a', DAY + 1));
    expect(await units.read((scope) => answers.usage(scope, 'files'))).toEqual({ answers: 4, bytes: 400 });
    expect(await trim(2, 10_000)).toEqual(['sha256:a', 'sha256:old']);
    expect(await there('other')).toBeDefined();
    expect(await there('a')).toBeUndefined();
    expect(await trim(2, 250)).toEqual(['sha256:other']);
    expect(await trim(2, 250)).toEqual([]);
    expect(await units.read((scope) => answers.usage(scope, 'web'))).toEqual({ answers: 0, bytes: 0 });
  });
});
