/** Texts as tools, people and programs write them: nothing of them may be touched. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PROVIDER_LIMITS } from '../profile.ts';
import { inspect } from './inspect.ts';
import { DEFAULT_RULES } from './rules.ts';

const folder = new URL('../../../../test/corpus/harmless/', import.meta.url);
const profile = {
  trust: 'USER_ADDED_REVIEWED',
  limits: { ...DEFAULT_PROVIDER_LIMITS, textBytes: 1e9 },
} as const;

describe('[FIRE-53] harmless texts', () => {
  it.each(readdirSync(folder))('%s passes as it is', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const result = { content: [{ type: 'text' as const, text }], structured: undefined, isError: false };
    const {
      verdict,
      findings,
      result: passed,
    } = inspect({ rules: DEFAULT_RULES, allowedHosts: [] }, profile, result);
    expect(findings.filter(({ action }) => action !== 'annotate')).toEqual([]);
    expect([verdict, passed]).toEqual(['ACCEPTED_OBSERVATION', result]);
  });

  it('are the documents of the packages Sluice is made of, but for pictures they would fetch', () => {
    const packages = new URL('../../../../node_modules/', import.meta.url);
    const found = PACKAGES.flatMap((name) => {
      const text = readFileSync(new URL(`${name}/README.md`, packages), 'utf8');
      const result = { content: [{ type: 'text' as const, text }], structured: undefined, isError: false };
      const { findings } = inspect({ rules: DEFAULT_RULES, allowedHosts: [] }, profile, result);
      return findings
        .filter(({ action, family }) => action !== 'annotate' && family !== 'EXFILTRATION')
        .map(({ rule }) => `${name}: ${rule}`);
    });
    expect(found).toEqual([]);
  });
});

const PACKAGES =
  'chai cross-spawn debug hono tinyglobby kysely magic-string nanoid pg picomatch postcss vite yaml zod'.split(
    ' ',
  );
