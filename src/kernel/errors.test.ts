import { describe, expect, it } from 'vitest';
import { asSluiceError, ERROR_TABLE, type ErrorCode, errorRow, invalidInput, SluiceError } from './errors.ts';

const codes = Object.keys(ERROR_TABLE) as ErrorCode[];

describe('[PIPE-01] the table of errors', () => {
  it.each(codes)('says everything about %s', (code) => {
    const row = errorRow(code);
    expect(code).toMatch(/^(?:[a-z]+(?:_[a-z]+)*|DELEG(?:_[A-Z]+)+)$/);
    expect(Object.keys(row).sort()).toEqual(['exit', 'http', 'mcp', 'meaning', 'retry']);
    expect(row.http).toBeGreaterThanOrEqual(400);
    expect(row.http).toBeLessThan(600);
    // 126 and above are the shell's own.
    expect(Number.isInteger(row.exit) && row.exit >= 1 && row.exit <= 125).toBe(true);
    expect(['later', 'changed', 'never']).toContain(row.retry);
    expect(row.meaning).toMatch(/^[A-Z].*\.$/);
    if (row.mcp === 'result') return;
    for (const number of [row.mcp.modern, row.mcp.legacy]) {
      expect(number <= -32000 && number >= -32768).toBe(true);
    }
  });

  it('tells what a client can do something about from what is nobody’s fault but ours', () => {
    const ours = codes.filter((code) => errorRow(code).exit === 1);
    expect(ours).toEqual(['internal']);
    for (const code of codes) {
      if (errorRow(code).http === 401 || errorRow(code).http === 403)
        expect(errorRow(code).retry).toBe('never');
    }
  });
});

describe('[PIPE-02] an error on the wire', () => {
  it('carries code, message, retry and details, and nothing of its cause', () => {
    const error = new SluiceError('conflict', 'Taken', { reason: 'exists' }, new Error('password hunter2'));
    expect(error.toWire()).toEqual({
      code: 'conflict',
      message: 'Taken',
      retry: 'changed',
      reason: 'exists',
    });
    expect(JSON.stringify(error.toWire())).not.toContain('hunter2');
  });

  it('cannot be given another code or message by its details', () => {
    const wire = new SluiceError('denied', 'No', { code: 'internal', message: 'x', retry: 'later' }).toWire();
    expect(wire).toEqual({ code: 'denied', message: 'No', retry: 'never' });
  });

  it.each([
    ['an error', new Error('connection string postgres://u:secret@h')],
    ['a thrown text', 'secret'],
    ['nothing', undefined],
  ])('says of %s only that something failed inside', (_, thrown) => {
    const error = asSluiceError(thrown);
    expect(error.code).toBe('internal');
    expect(JSON.stringify(error.toWire())).not.toContain('secret');
  });

  it('leaves our own errors as they are and names the field of a wrong input', () => {
    const own = invalidInput('title', 'must not be empty', { limit: 3 });
    expect(asSluiceError(own)).toBe(own);
    expect(own.toWire()).toMatchObject({ code: 'invalid_input', field: 'title', limit: 3 });
    expect(own.message).toBe('"title" must not be empty');
  });
});
