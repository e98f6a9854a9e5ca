import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { SluiceError } from './errors.ts';
import { systemCode } from './system-code.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('[AUD-21] the name of a fault', () => {
  it("is the system's or the database's, also of a cause", () => {
    const gone = thrownBy(() => readFileSync('/nowhere/at/all'));
    expect(systemCode(gone)).toBe('ENOENT');
    expect(systemCode(new SluiceError('unavailable', 'x', {}, new Error('y', { cause: gone })))).toBe(
      'ENOENT',
    );
    expect(systemCode(thrownBy(() => new DatabaseSync('/nowhere/at/all')))).toBe('SQLITE_CANTOPEN');
    expect(systemCode(Object.assign(new Error('no space'), { code: '53100' }))).toBe('53100');
  });

  it('is never text that somebody chose', () => {
    for (const code of ['secret', 'E', 'EACCES: /home/me', '', 7, null, 'ERR_INVALID_ARG_TYPE'])
      expect(systemCode(Object.assign(new Error('x'), { code }))).toBeUndefined();
    expect(systemCode(new SluiceError('internal', 'x'))).toBeUndefined();
    expect(systemCode('ENOSPC')).toBeUndefined();
  });

  it('is found in a circle of causes', () => {
    const circle = new Error('x');
    circle.cause = circle;
    expect(systemCode(circle)).toBeUndefined();
  });
});
