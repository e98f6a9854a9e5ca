/** Signed heads on disk: the newest survives a torn write, and what proves a roll-back survives everything after it. */
import { appendFileSync, closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isGenuineHead } from '../../src/domain/governance/audit-heads.ts';
import { openHeadFile } from '../../src/drivers/home/head-file.ts';
import { homeLayout, makeHome } from '../../src/drivers/home/home-layout.ts';
import { openKeys } from '../../src/drivers/home/keys.ts';
import { randomFor, times } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SLOT = 512;

function freshHeads() {
  const layout = homeLayout(temporaryFolder());
  makeHome(layout);
  const keys = openKeys(layout.keys);
  return {
    folder: layout.heads,
    keys,
    newest: join(layout.heads, 'newest'),
    kept: join(layout.heads, 'kept.jsonl'),
    open: () => openHeadFile(layout.heads, keys),
  };
}

const head = (sequence: number) => ({ writer: 'w', sequence, hash: sequence.toString(16).padStart(64, '0') });

/** Overwrites part of a file, as a write that was interrupted does. */
function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

describe('the head file', () => {
  it('[AUD-13] answers the newest head, signed, in this process and in the next', () => {
    const { open, keys, newest } = freshHeads();
    const file = open();
    expect(file.heads()).toEqual([]);
    file.keep(head(0), 1);
    expect(file.heads()).toEqual([]);
    for (const sequence of [1, 2, 7]) file.keep(head(sequence), 5);
    expect(file.heads()).toMatchObject([{ ...head(7), at: 5 }]);
    file.close();
    const again = open();
    expect(again.heads()).toMatchObject([head(7)]);
    expect(again.heads().every((one) => isGenuineHead(one, keys.verifying))).toBe(true);
    again.close();
    expect(statSync(newest).mode & 0o777).toBe(0o600);
    expect(statSync(newest).size).toBeLessThanOrEqual(2 * SLOT);
  });

  it('[AUD-13] still has the head before it when the newest was torn, wherever it was torn', () => {
    const random = randomFor('torn heads');
    for (let round = 0; round < times(30, 500); round += 1) {
      const { open, newest } = freshHeads();
      let file = open();
      const last = random.between(2, 9);
      for (let sequence = 1; sequence <= last; sequence += 1) {
        file.keep(head(sequence), 1);
        if (random.oneIn(2)) {
          // As after a restart: which slot is next must not depend on this process having written both.
          file.close();
          file = open();
        }
      }
      file.close();
      const text = readFileSync(newest, 'latin1');
      const slot = text.slice(0, SLOT).includes(`"sequence":${last},`) ? 0 : 1;
      const torn = random.between(1, 300);
      const garbage = Buffer.from(Array.from({ length: torn }, () => random.between(0, 255)));
      overwrite(newest, slot * SLOT, garbage);
      const after = open();
      expect(after.heads()).toMatchObject([head(last - 1)]);
      after.keep(head(last + 1), 1);
      expect(after.heads()).toMatchObject([head(last + 1)]);
      after.close();
    }
  });

  it('[AUD-13] keeps a head for good every 256 records, and reads on behind a line that was torn', () => {
    const { open, kept } = freshHeads();
    let file = open();
    for (let sequence = 1; sequence <= 600; sequence += 1) file.keep(head(sequence), 1);
    expect(file.heads()).toMatchObject([head(256), head(512), head(600)]);
    file.close();
    appendFileSync(kept, '{"writer":"w","sequ');
    file = open();
    for (let sequence = 601; sequence <= 800; sequence += 1) file.keep(head(sequence), 1);
    expect(file.heads()).toMatchObject([head(256), head(512), head(768), head(800)]);
    file.close();
  });

  it('[AUD-08] keeps the head that proves a roll-back, however far the chain goes afterwards', () => {
    const { open } = freshHeads();
    const before = open();
    for (let sequence = 1; sequence <= 20; sequence += 1) before.keep(head(sequence), 1);
    before.close();
    const after = open();
    for (let sequence = 11; sequence <= 40; sequence += 1) after.keep(head(sequence), 2);
    after.close();
    const again = open();
    again.keep({ ...head(40), hash: 'f'.repeat(64) }, 3);
    again.keep(head(41), 4);
    again.close();
    const found = open();
    expect(found.heads()).toMatchObject([
      { ...head(20), at: 1 },
      { ...head(40), at: 2 },
      { ...head(41), at: 4 },
    ]);
    found.close();
  });
});
