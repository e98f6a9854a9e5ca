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

describe('[POL-22] a rule that denies', () => {
  it('keeps a client from a tool also when it speaks for a person, and the owner from nothing', async () => {
    await withSluice(temporaryFolder(), async (sluice) => {
      await sluice.call('client.add', { name: 'alice', role: 'editor', origin: 'authored' });
      const deny = { subject_type: 'client', pattern: 'delete_page', effect: 'deny', reason: 'test' };
      const { rule } = await sluice.call('policy.rule.add', { ...deny, subject: 'alice' });
      const { id } = await sluice.call('create_page', { title: 'Kept' });
      const alice = sluice.as({ name: 'alice', role: 'editor', origin: 'authored' });
      await expect(alice.call('delete_page', { page: id })).rejects.toMatchObject({ code: 'unknown_tool' });
      expect(await explain(sluice, 'alice', 'delete_page')).toEqual(['access_rule']);
      expect(await explain(sluice, 'alice', 'create_page')).toBe('allowed');
      expect(await explain(sluice, 'owner', 'delete_page')).toBe('allowed');
      await expect(sluice.call('policy.rule.add', { ...deny, subject: 'owner' })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'subject' },
      });
      await sluice.call('policy.rule.remove', { rule: (rule as { id: string }).id });
      await alice.call('delete_page', { page: id });
    });
  });
});

describe('[POL-21] a client', () => {
  const add = async (sluice: Sluice, name: string, more: Record<string, unknown>): Promise<string[]> =>
    (await sluice.call('client.add', { name, ...more })).warnings as string[];

  it('with the role reader reads, and with the role editor writes what waits for a yes', async () => {
    const home = temporaryFolder();
    await withSluice(home, async (sluice) => {
      expect(await add(sluice, 'rd', { role: 'reader' })).toEqual([]);
      expect(await add(sluice, 'ed', { role: 'editor' })).toEqual([]);
    });
    // Also in a home that is there already.
    await withSluice(home, async (sluice) => {
      for (const tool of ['search', 'read_page', 'memory_search', 'list_tools'])
        expect(await explain(sluice, 'rd', tool)).toBe('allowed');
      for (const tool of ['create_page', 'delete_page', 'memory_write'])
        expect(await explain(sluice, 'rd', tool)).toEqual(['scope']);
      expect(await explain(sluice, 'ed', 'create_page')).toBe('allowed');
      expect(await explain(sluice, 'ed', 'client.add')).toContain('role');
      const editor = sluice.as({ name: 'ed', role: 'editor' });
      const page = await editor.call('create_page', { title: 'Draft' });
      expect(page).toMatchObject({ lifecycle: 'candidate', origin: 'agent-produced' });
      await expect(editor.call('accept_proposal', { proposal: page.id })).rejects.toMatchObject({
        code: 'denied',
      });
      await sluice.call('policy.rule.remove', { rule: 'default:reader:workspace' });
      expect(await explain(sluice, 'rd', 'search')).toEqual(['access_rule']);
    });
  });

  it('with a role that no rule allows anything sees no tools, and that is said', async () => {
    await withSluice(temporaryFolder(), async (sluice) => {
      await sluice.call('policy.role.set', { name: 'librarian', tools: ['**'], scopes: ['workspace.read'] });
      const [said, ...more] = await add(sluice, 'lib', { role: 'librarian' });
      expect([said, more]).toEqual([expect.stringContaining('sluice policy allow role:librarian'), []]);
      expect(await sluice.as({ name: 'lib', role: 'librarian' }).listTools()).toEqual([]);
      await sluice.call('policy.rule.add', {
        subject_type: 'client',
        subject: 'lib2',
        pattern: 'search',
        effect: 'allow',
        reason: 'test',
      });
      expect(await add(sluice, 'lib2', { role: 'librarian' })).toEqual([]);
      expect(await add(sluice, 'person', { role: 'reader', origin: 'authored' })).toEqual([]);
    });
  });
});
