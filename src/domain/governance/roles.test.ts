import { describe, expect, it } from 'vitest';
import { SCOPES } from '../../kernel/scopes.ts';
import { matchesAny } from './name-pattern.ts';
import { checkRoleChange, DEFAULT_ROLES } from './roles.ts';

const role = (name: string) => {
  const found = DEFAULT_ROLES.find((known) => known.name === name);
  if (!found) throw new Error(`There is no role ${name}`);
  return found;
};

describe('[POL-09] the roles a home starts with', () => {
  it('are these ten', () => {
    expect(DEFAULT_ROLES.map(({ name }) => name).sort()).toEqual(
      [
        'owner',
        'editor',
        'reader',
        'project_manager',
        'project_analyst',
        'worker',
        'reviewer',
        'agent',
        'client',
        'node',
      ].sort(),
    );
  });

  it.each([
    ['owner', [...SCOPES]],
    [
      'editor',
      [
        'workspace.read',
        'workspace.propose',
        'workspace.write',
        'review',
        'memory.read',
        'memory.write',
        'artifacts.read',
        'artifacts.write',
        'work.read',
      ],
    ],
    ['reader', ['workspace.read', 'memory.read', 'work.read']],
    ['reviewer', ['workspace.read', 'workspace.propose', 'artifacts.read', 'agents.message']],
    [
      'agent',
      [
        'workspace.read',
        'workspace.propose',
        'memory.read',
        'memory.write',
        'sandbox.python',
        'providers.call',
        'agents.message',
        'agents.spawn',
        'artifacts.read',
        'artifacts.write',
        'work.read',
      ],
    ],
    [
      'client',
      [
        'workspace.read',
        'workspace.propose',
        'memory.read',
        'memory.write',
        'sandbox.python',
        'providers.call',
      ],
    ],
    ['node', []],
  ])('%s has its scopes and no others', (name, scopes) => {
    expect([...role(name).scopes].sort()).toEqual([...scopes].sort());
  });

  it('give nobody but the owner canonical writing, settings, audit of others or rights', () => {
    for (const { name, scopes } of DEFAULT_ROLES) {
      if (name === 'owner') continue;
      expect(scopes.includes('workspace.write')).toBe(name === 'editor');
      expect(scopes.includes('review')).toBe(name === 'editor');
      expect(scopes.includes('audit.read')).toBe(name === 'project_analyst');
      for (const scope of [
        'settings.read',
        'settings.manage',
        'permissions.grant',
        'approvals.decide',
      ] as const) {
        expect(scopes).not.toContain(scope);
      }
    }
  });

  it('reach from where they work: workers from the sandbox, the owner from both, the rest from outside', () => {
    for (const { name, reach } of DEFAULT_ROLES) {
      const expected = name === 'owner' ? 'both' : name === 'worker' ? 'sandbox' : 'orchestrator';
      expect([name, reach]).toEqual([name, expected]);
    }
  });

  it.each([
    [
      'worker',
      [
        'artifact.put',
        'memory.add',
        'skills.get',
        'preference.get',
        'persona.get',
        'help.get',
        'web.fetch',
        'api.call',
      ],
    ],
    [
      'project_manager',
      [
        'artifact.put',
        'db.task.get',
        'task.update_status',
        'node.list',
        'sandbox.create',
        'sandbox.allowed_images.add',
        'model.list',
        'connector.instance.install',
        'git.pr.create',
        'web.search',
        'help.list',
        'persona.list',
        'skills.create',
        'db.preference.effective',
      ],
    ],
    [
      'project_analyst',
      [
        'task.get',
        'job.get',
        'project.list',
        'preference.effective',
        'db.preference.get',
        'artifact.get',
        'help.get',
        'skills.list',
        'persona.get',
        'audit.list',
        'audit.get',
        'web.fetch',
        'api.call',
        'task.finding.create',
      ],
    ],
    ['node', ['node.register']],
  ])('list for %s what the seed gives it', (name, tools) => {
    expect(tools.filter((tool) => !matchesAny(role(name).tools, tool))).toEqual([]);
  });

  it.each([
    [
      'worker',
      [
        'db.task.get',
        'task.get',
        'node.list',
        'sandbox.create',
        'model.list',
        'git.push',
        'skills.create',
        'read_page',
        'client.add',
      ],
    ],
    ['project_manager', ['memory.add', 'read_page', 'client.add', 'policy.role.set', 'audit.list']],
    [
      'project_analyst',
      [
        'artifact.put',
        'task.cancel',
        'task.update_status',
        'db.task.update_status',
        'db.preference.create',
        'node.list',
        'sandbox.exec',
        'system_setting.get',
        'connector.op.invoke',
        'audit.export',
        'audit.verify',
        'memory.add',
      ],
    ],
    ['node', ['node.list', 'read_page', 'get_my_scopes']],
  ])('do not list for %s what the seed keeps from it', (name, tools) => {
    expect(tools.filter((tool) => matchesAny(role(name).tools, tool))).toEqual([]);
  });
});

describe('[POL-10] a change of a role', () => {
  it('is refused for the owner, who must be able to repair the others', () => {
    expect(() => checkRoleChange('owner', ['**'])).toThrow(expect.objectContaining({ code: 'denied' }));
  });

  it('holds patterns only', () => {
    expect(() => checkRoleChange('client', ['read_*', 'db.**'])).not.toThrow();
    expect(() => checkRoleChange('client', ['read_*', '(a)'])).toThrow('"tools" must hold name patterns');
  });
});
