/** A home: one process at a time, secrets that only its key opens, files for its owner alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { homeLayout, makeHome } from '../../src/drivers/home/home-layout.ts';
import { lockHome, tryLockHome } from '../../src/drivers/home/home-lock.ts';
import { openKeys } from '../../src/drivers/home/keys.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOLD_LOCK = fileURLToPath(new URL('../support/hold-lock.ts', import.meta.url));

describe('the lock of a home', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function lockElsewhere(path: string): Promise<{ said: string; child: ChildProcess }> {
    const child = spawn(process.execPath, [HOLD_LOCK, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { said: said.toString().trim(), child };
  }

  it('[DUR-01] is held by one process at a time', async () => {
    const path = join(temporaryFolder(), 'lock.db');
    const own = tryLockHome(path);
    expect(own).toBeDefined();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect((await lockElsewhere(path)).said).toBe('taken');
    expect(tryLockHome(path)).toBeUndefined();
    own?.release();
    expect((await lockElsewhere(path)).said).toBe('locked');
    expect(tryLockHome(path)).toBeUndefined();
    await expect(lockHome(path, 0)).rejects.toMatchObject({ code: 'home_locked' });
  });

  it('[DUR-01] is free again when its process was killed, with nothing to clean up', async () => {
    const path = join(temporaryFolder(), 'lock.db');
    for (let round = 0; round < 3; round += 1) {
      const { said, child } = await lockElsewhere(path);
      expect(said).toBe('locked');
      const waiting = lockHome(path, 60_000);
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      (await waiting).release();
    }
  });
});

describe('the keys of a home', () => {
  const freshKeys = () => {
    const layout = homeLayout(temporaryFolder());
    makeHome(layout);
    return { folder: layout.keys, keys: openKeys(layout.keys) };
  };

  it('[DUR-02] are made once, for their owner alone, and are the same the next time', () => {
    const { folder, keys } = freshKeys();
    const again = openKeys(folder);
    expect(again.writer).toBe(keys.writer);
    expect(again.verifying.export({ type: 'spki', format: 'pem' })).toBe(
      keys.verifying.export({ type: 'spki', format: 'pem' }),
    );
    expect(again.secrets.open(keys.secrets.seal('s', 'p'), 'p')).toBe('s');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('[DUR-02] are made again where making them was interrupted before they were whole', () => {
    const { folder } = freshKeys();
    for (const name of readdirSync(folder)) {
      const whole = readFileSync(join(folder, name));
      rmSync(join(folder, name));
      // What a crash may leave is beside the place, never in it.
      writeFileSync(join(folder, `${name}.draft`), whole.subarray(0, 5));
      const keys = openKeys(folder);
      expect(keys.writer).not.toBe('');
      expect(keys.secrets.open(keys.secrets.seal('s', 'p'), 'p')).toBe('s');
    }
  });

  it('[DUR-02] are refused, not replaced, when they are damaged', () => {
    const { folder } = freshKeys();
    for (const name of readdirSync(folder)) {
      const whole = readFileSync(join(folder, name));
      for (const damaged of ['', 'x'.repeat(whole.length)]) {
        writeFileSync(join(folder, name), damaged);
        expect(() => openKeys(folder), `${name} with ${damaged.length} bytes`).toThrow(
          expect.objectContaining({ code: 'unavailable' }),
        );
        expect(readFileSync(join(folder, name), 'utf8')).toBe(damaged);
      }
      writeFileSync(join(folder, name), whole);
    }
  });

  it('[DUR-03] seal secrets so that only they, for the same purpose and unchanged, open them', () => {
    const { keys } = freshKeys();
    const sealed = keys.secrets.seal('geheim 漢字', 'token');
    expect(sealed).not.toContain('geheim');
    expect(keys.secrets.seal('geheim 漢字', 'token')).not.toBe(sealed);
    expect(keys.secrets.open(sealed, 'token')).toBe('geheim 漢字');
    const refused = expect.objectContaining({ code: 'integrity_failed' });
    expect(() => keys.secrets.open(sealed, 'another purpose')).toThrow(refused);
    expect(() => freshKeys().keys.secrets.open(sealed, 'token')).toThrow(refused);
    const [mark, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => keys.secrets.open(`${mark}.${changed.toString('base64url')}`, 'token')).toThrow(refused);
    }
    for (const wrong of ['', 'sealed-v1.', 'sealed-v2.x', 'geheim', `${sealed.slice(0, -8)}`])
      expect(() => keys.secrets.open(wrong, 'token')).toThrow(refused);
  });
});
