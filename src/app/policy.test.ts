import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { createSluice, type Sluice } from './create-sluice.ts';

async function withSluice(home: string, work: (sluice: Sluice) => Promise<void>): Promise<void> {
  const sluice = await createSluice({ home });
  try {
    await work(sluice);
  } finally {
    await sluice.close();
  }
}

const explain = async (sluice: Sluice, caller: string, tool: string) => {
  const { allowed, gates } = await sluice.call('policy.explain', { caller, tool });
  const refusing = (gates as { gate: string; allowed: boolean }[]).filter((gate) => !gate.allowed);
  return allowed ? 'allowed' : refusing.map(({ gate }) => gate);
};

describe('[POL-20] a change of policy', () => {
  it('is in force at once, gets a new version, and lasts over a restart', async () => {
    const home = temporaryFolder();
    await withSluice(home, async (sluice) => {
      const versionOf = async () => (await sluice.call('policy.rule.list')).policy_version as number;
      const before = await versionOf();
      const set = { name: 'librarian', tools: ['search'], scopes: ['workspace.read'] };
      expect(await sluice.call('policy.role.set', set)).toEqual({
        role: { ...set, reach: 'orchestrator', version: 1 },
      });
      const { role } = await sluice.call('policy.role.set', { ...set, tools: ['search', 'read_*'] });
      expect(role).toMatchObject({ version: 2, tools: ['search', 'read_*'] });
      expect(await versionOf()).toBeGreaterThan(before);
      expect(await explain(sluice, 'role:librarian', 'read_page')).toEqual(['access_rule']);
      await sluice.call('policy.rule.add', {
        subject_type: 'role',
        subject: 'librarian',
        pattern: '*',
        effect: 'allow',
        reason: 'reads',
      });
      expect(await explain(sluice, 'role:librarian', 'read_page')).toBe('allowed');
      expect(await explain(sluice, 'role:librarian', 'create_page')).toEqual(['role', 'scope']);
      await sluice.call('policy.rule.remove', { rule: 'default:client:workspace' });
      expect(await explain(sluice, 'role:client', 'read_page')).toEqual(['access_rule']);
      await sluice.call('set_tool_enabled', { tool: 'get_*', enabled: false });
    });
    await withSluice(home, async (sluice) => {
      expect(await explain(sluice, 'role:librarian', 'read_page')).toBe('allowed');
      expect(await explain(sluice, 'role:client', 'read_page')).toEqual(['access_rule']);
      expect(await explain(sluice, 'owner', 'get_page_tree')).toEqual(['off_switch']);
      await sluice.call('set_tool_enabled', { tool: 'get_*', enabled: true });
      expect(await explain(sluice, 'owner', 'get_page_tree')).toBe('allowed');
    });
  });

  it('that makes no sense is refused and named', async () => {
    await withSluice(temporaryFolder(), async (sluice) => {
      const rule = { subject_type: 'role', subject: 'client', pattern: 'a', effect: 'allow', reason: 'x' };
      for (const [wish, field] of [
        [{ pattern: '(a|b)' }, 'pattern'],
        [{ pattern: '***' }, 'pattern'],
        [{ subject: null }, 'subject'],
        [{ subject_type: 'system' }, 'subject'],
        [{ effect: 'maybe' }, 'effect'],
        [{ priority: 5_000 }, 'priority'],
      ] as const) {
        await expect(sluice.call('policy.rule.add', { ...rule, ...wish })).rejects.toMatchObject({
          code: 'invalid_input',
          details: { field },
        });
      }
      await expect(sluice.call('policy.rule.remove', { rule: 'none' })).rejects.toMatchObject({
        code: 'not_found',
      });
      const role = { name: 'owner', tools: [], scopes: [] };
      await expect(sluice.call('policy.role.set', role)).rejects.toMatchObject({ code: 'denied' });
      await expect(
        sluice.call('policy.role.set', { ...role, name: 'client', tools: ['A B'] }),
      ).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'tools' } });
      await expect(sluice.call('set_tool_enabled', { tool: 'A B', enabled: false })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });

  it('is made by the owner alone', async () => {
    await withSluice(temporaryFolder(), async (sluice) => {
      const editor = sluice.as({ name: 'ed', role: 'editor', origin: 'authored' });
      for (const tool of [
        'policy.role.set',
        'policy.rule.add',
        'set_mcp_enabled',
        'client.add',
        'audit.list',
      ]) {
        await expect(editor.call(tool, {})).rejects.toMatchObject({ code: 'unknown_tool' });
      }
    });
  });
});
