import { describe, expect, it } from 'vitest';
import { readPointInTime } from './points-in-time.ts';

const NOW = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;

describe('readPointInTime', () => {
  it.each([
    ['90m', 1.5 * HOUR],
    ['12h', 12 * HOUR],
    [' 30d ', 30 * 24 * HOUR],
    ['2w', 14 * 24 * HOUR],
    ['0d', 0],
  ])('counts %s from now, forwards or back', (text, span) => {
    expect(readPointInTime('expires', text, NOW, 1)).toBe(NOW + span);
    expect(readPointInTime('since', text, NOW, -1)).toBe(NOW - span);
  });

  it.each([
    ['2027-01-31', Date.UTC(2027, 0, 31)],
    ['2027-01-31T10:30:00Z', Date.UTC(2027, 0, 31, 10, 30)],
    ['2027-01-31T10:30:00+02:00', Date.UTC(2027, 0, 31, 8, 30)],
  ])('reads %s', (text, at) => expect(readPointInTime('expires', text, NOW, 1)).toBe(at));

  it.each(['', 'soon', '30', '30y', '-3d', '1.5h', '2027-13-45', '12/31/2027', '9999999d'])(
    'refuses "%s" and names the field',
    (text) => {
      expect(() => readPointInTime('expires', text, NOW, 1)).toThrow(
        expect.objectContaining({ code: 'invalid_input', details: { field: 'expires' } }),
      );
    },
  );
});
