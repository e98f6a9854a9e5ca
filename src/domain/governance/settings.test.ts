import { describe, expect, it } from 'vitest';
import { clampPort, readSettings } from './settings.ts';

const read = (stored: Record<string, unknown>) => readSettings(new Map(Object.entries(stored)));

describe('[POL-14] settings', () => {
  it('are these without being set', () => {
    expect(read({})).toEqual({
      schema_version: 1,
      mcp_enabled: true,
      mcp_port: 7862,
      disabled_tools: [],
      audit_retention_days: 180,
      trash_retention_days: 30,
      approval_local_effects: false,
      approval_mixed_runs: true,
      approval_output_classes: [],
      approval_for_session: false,
      firewall_rules: null,
    });
  });

  it('are what was stored, and nothing that is no setting', () => {
    const stored = {
      mcp_enabled: false,
      mcp_port: 9_000,
      disabled_tools: ['a.*'],
      audit_retention_days: 1,
      trash_retention_days: 2,
      approval_local_effects: true,
      approval_mixed_runs: false,
      approval_output_classes: ['REGULATED'],
      approval_for_session: true,
      firewall_rules: { version: 'mine-1' },
    };
    expect(read({ ...stored, mcp_token: 'sealed', other: 1 })).toEqual({ schema_version: 1, ...stored });
  });

  it.each([
    ['mcp_enabled', ['false', 0, null, {}]],
    ['mcp_port', ['80', 1.5, Number.NaN, null, [9_000]]],
    ['disabled_tools', ['a', [1], {}, null, [['a']]]],
    ['audit_retention_days', [0, -1, 1.5, '180', null]],
    ['trash_retention_days', [0, -1, 1.5, '30', null]],
  ])('of the wrong type fall back: %s', (key, wrong) => {
    const defaults: Record<string, unknown> = { ...read({}) };
    for (const value of wrong) expect({ ...read({ [key]: value }) }).toEqual(defaults);
  });

  it.each([2, 99, '1', true])('of schema %s are not guessed at', (version) => {
    expect(() => read({ schema_version: version })).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringContaining('this Sluice knows 1'),
      }),
    );
  });

  it('keep the port where a program may listen', () => {
    expect([0, 80, 1_024, 7_862, 65_535, 65_536, 1e9, 2_000.9].map(clampPort)).toEqual([
      1_024, 1_024, 1_024, 7_862, 65_535, 65_535, 65_535, 2_000,
    ]);
    expect(read({ mcp_port: 22 }).mcp_port).toBe(1_024);
  });
});
