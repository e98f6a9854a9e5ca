import { describe, expect, it } from 'vitest';
import type { Caller } from '../../kernel/caller.ts';
import type { CredentialId, PrincipalId, RunId } from '../../kernel/ids.ts';
import type { Scope } from '../../kernel/scopes.ts';
import { ORIGINS, type Origin } from '../../kernel/submission.ts';
import { lifecycleOf, originOf } from './provenance-rules.ts';

const caller = (
  allowedOrigin: Origin,
  declaredOrigin: Origin | undefined,
  scopes: readonly Scope[],
): Caller => ({
  surface: 'mcp-http',
  principal: { kind: 'client', id: 'client:ann' as PrincipalId, name: 'ann' },
  credential: 'c' as CredentialId,
  role: 'client',
  scopes: new Set(scopes),
  reach: 'orchestrator',
  allowedOrigin,
  ...(declaredOrigin && { declaredOrigin }),
  context: { run: 'r' as RunId },
});

const trust = (origin: Origin): number => -ORIGINS.indexOf(origin);

describe('[POL-15] the origin of a write', () => {
  it('is the credential’s, or what the client declares if that is less trusted', () => {
    for (const allowed of ORIGINS) {
      expect(originOf(caller(allowed, undefined, []))).toBe(allowed);
      for (const declared of ORIGINS) {
        const origin = originOf(caller(allowed, declared, []));
        expect(trust(origin)).toBe(Math.min(trust(allowed), trust(declared)));
      }
    }
  });
});

describe('[POL-16] the lifecycle of a write', () => {
  it.each<[Origin, Origin | undefined, readonly Scope[], string]>([
    ['authored', undefined, ['workspace.write'], 'canonical'],
    ['authored', undefined, ['workspace.propose'], 'candidate'],
    ['authored', 'agent-produced', ['workspace.write'], 'candidate'],
    ['authored', 'imported', ['workspace.write'], 'draft'],
    ['agent-produced', undefined, ['workspace.write'], 'candidate'],
    ['agent-produced', 'authored', ['workspace.write'], 'candidate'],
    ['imported', undefined, ['workspace.write'], 'draft'],
    ['imported', 'authored', ['workspace.write'], 'draft'],
  ])('of %s declared %s with %j is %s', (allowed, declared, scopes, lifecycle) => {
    expect(lifecycleOf(caller(allowed, declared, scopes))).toBe(lifecycle);
  });
});
