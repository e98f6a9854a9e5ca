import { describe, expect, it } from 'vitest';
import { expandScopes, isScope, SCOPES } from './scopes.ts';
import { lowerTrust, ORIGINS } from './submission.ts';

describe('[POL-01] scopes', () => {
  it('are the closed list of twenty-seven', () => {
    expect(SCOPES).toHaveLength(27);
    expect(new Set(SCOPES).size).toBe(27);
    for (const scope of SCOPES) expect(isScope(scope)).toBe(true);
    for (const other of ['', 'workspace', 'workspace.*', 'Workspace.read', 'constructor']) {
      expect(isScope(other)).toBe(false);
    }
  });

  it('imply nothing but that who may write may also propose', () => {
    for (const scope of SCOPES) {
      const expected = scope === 'workspace.write' ? [scope, 'workspace.propose'] : [scope];
      expect([...expandScopes([scope])]).toEqual(expected);
    }
    expect(expandScopes([]).size).toBe(0);
  });
});

describe('[POL-02] origins', () => {
  it('are ordered, and of two the less trusted one counts', () => {
    expect(ORIGINS).toEqual(['authored', 'agent-produced', 'imported']);
    for (const [i, a] of ORIGINS.entries()) {
      for (const [j, b] of ORIGINS.entries()) expect(lowerTrust(a, b)).toBe(ORIGINS[Math.max(i, j)]);
    }
  });
});
