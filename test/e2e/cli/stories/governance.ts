/** The switch, tokens, clients, the catalogue, rules and roles. */
import { expect } from 'vitest';
import type { Stories } from '../../../support/cli-story.ts';

const TOKEN = /^[0-9a-f]{64}\n$/;

export const governanceStories: Stories = {
  status: async ({ json, text, home, served }) => {
    expect(await json('status')).toMatchObject({ running: served, home, enabled: true, store: 'sqlite' });
    const words = await text('status');
    expect(words).toMatch(new RegExp(`^running +${served}\n`));
    expect(words).not.toMatch(/[0-9a-f]{64}/);
  },
  disable: async ({ json, text, fails, name }) => {
    expect(await text('disable', '--tool', 'search')).toBe('"search" is switched off\n');
    expect(await fails(3, 'search', name)).toMatchObject({ code: 'unknown_tool' });
    await json('enable', '--tool', 'search');
    expect(await text('disable')).toBe('Sluice is switched off\n');
    expect(await json('status')).toMatchObject({ enabled: false });
    expect(await fails(6, 'page', 'tree')).toMatchObject({ code: 'disabled' });
    await json('enable');
  },
  enable: async ({ json, text }) => {
    await json('disable');
    expect(await text('enable')).toBe('Sluice is switched on\n');
    expect(await json('status')).toMatchObject({ enabled: true });
    expect(await json('page', 'tree')).toHaveProperty('tree');
  },
  'token show': async ({ json, text }) => {
    const shown = await text('token', 'show');
    expect(shown).toMatch(TOKEN);
    expect(await json('token', 'show')).toEqual({ token: shown.trim() });
  },
  'token rotate': async ({ json, text }) => {
    const before = await text('token', 'show');
    const rotated = await text('token', 'rotate');
    expect(rotated).toMatch(TOKEN);
    expect(rotated).not.toBe(before);
    expect(await json('token', 'show')).toEqual({ token: rotated.trim() });
  },
  'client add': async ({ json, text, fails, name }) => {
    expect(await text('client', 'add', name, '--expires', '30d')).toMatch(TOKEN);
    expect(await json('client', 'add', `${name}-2`, '--role', 'editor')).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await fails(5, 'client', 'add', name)).toMatchObject({ code: 'conflict' });
    expect(await fails(2, 'client', 'add', `${name}-3`, '--origin', 'stolen')).toMatchObject({
      code: 'invalid_input',
    });
  },
  'client list': async ({ json, text, name }) => {
    const { token } = await json<{ token: string }>('client', 'add', name);
    const { clients } = await json<{ clients: { name: string }[] }>('client', 'list');
    expect(clients).toContainEqual(expect.objectContaining({ name, state: 'valid' }));
    const words = await text('client', 'list');
    expect(words).toMatch(new RegExp(`^NAME +ROLE.*\n(.*\n)*${name} +client +agent-produced +valid`));
    expect(words).not.toContain(token);
  },
  'client limit': async ({ json, text, fails, name }) => {
    await json('client', 'add', name);
    const set = `set-${name}`;
    await json('client', 'toolset', 'set', set, '--tools', 'search,read_page');
    expect(await text('client', 'limit', name, '--toolset', set, '--cap', '40')).toBe(
      `"${name}" has the toolset "${set}", at most 40 in its list\n`,
    );
    expect(await json('client', 'limit', name, '--toolset', 'none', '--cap', 'none')).toMatchObject({
      client: { name, toolset: null, cap: null },
    });
    expect(await fails(2, 'client', 'limit', name)).toMatchObject({ field: '--toolset' });
    expect(await fails(2, 'client', 'limit', name, '--cap', '1')).toMatchObject({ field: 'cap' });
    expect(await fails(3, 'client', 'limit', `no-${name}`, '--cap', '40')).toMatchObject({
      code: 'not_found',
    });
  },
  'client toolset set': async ({ json, text, fails, name }) => {
    expect(await text('client', 'toolset', 'set', name, '--tools', 'search,files.*', '--pin', 'search')).toBe(
      `The toolset "${name}" is set\n`,
    );
    expect(await json('client', 'toolset', 'set', name, '--tools', 'read_page')).toMatchObject({
      toolset: { name, tools: ['read_page'], pinned: [], clients: [] },
    });
    expect(await json('client', 'add', `${name}-1`, '--toolset', name, '--cap', '9')).toMatchObject({
      client: { toolset: name, cap: 9 },
    });
    expect(await fails(2, 'client', 'toolset', 'set', name, '--tools', 'a b')).toMatchObject({
      field: 'tools',
    });
  },
  'client toolset list': async ({ json, text, name }) => {
    await json('client', 'toolset', 'set', name, '--tools', 'search,read_page', '--pin', 'search');
    expect(await json('client', 'toolset', 'list')).toMatchObject({
      toolsets: expect.arrayContaining([expect.objectContaining({ name })]),
    });
    expect(await text('client', 'toolset', 'list')).toMatch(
      new RegExp(`^NAME +TOOLS.*\n(.*\n)*${name} +search, read_page +search +–`),
    );
  },
  'client toolset remove': async ({ json, text, fails, name }) => {
    await json('client', 'toolset', 'set', name, '--tools', 'search');
    await json('client', 'add', name, '--toolset', name);
    expect(await fails(5, 'client', 'toolset', 'remove', name)).toMatchObject({ clients: [name] });
    await json('client', 'limit', name, '--toolset', 'none');
    expect(await text('client', 'toolset', 'remove', name)).toBe(`The toolset "${name}" is removed\n`);
    expect(await fails(2, 'client', 'toolset', 'remove', name)).toMatchObject({ field: 'toolset' });
  },
  'client revoke': async ({ json, text, fails, name }) => {
    await json('client', 'add', name);
    expect(await text('client', 'revoke', name)).toBe(`"${name}" is revoked\n`);
    const { clients } = await json<{ clients: { name: string; state: string }[] }>('client', 'list', '--all');
    expect(clients.find((one) => one.name === name)).toMatchObject({ state: 'revoked' });
    expect(await fails(3, 'client', 'revoke', name)).toMatchObject({ code: 'not_found' });
  },
  connect: async ({ json, text, fails, name }) => {
    expect(await json('connect', 'cursor', '--name', name)).toMatchObject({
      name,
      kind: 'cursor',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      configuration: expect.stringContaining('mcpServers'),
    });
    expect(await text('connect', 'codex', '--name', name, '--replace')).toMatch(
      /^# ~\/\.codex\/config\.toml\n\[mcp_servers\.sluice\]\n/,
    );
    expect(await text('connect', 'claude-desktop', '--name', name)).not.toMatch(/[0-9a-f]{64}/);
    expect(await fails(2, 'connect', 'notepad')).toMatchObject({ field: 'client' });
  },
  'tool list': async ({ json, text }) => {
    const { tools } = await json<{ tools: { name: string }[] }>('tool', 'list', '--family', 'workspace');
    expect(tools.map(({ name }) => name)).toContain('create_page');
    expect(await text('tool', 'list')).toMatch(
      /^NAME +FAMILY +TOKENS +SUMMARY\n(.*\n)*audit\.list +audit +\d+ /,
    );
  },
  'tool describe': async ({ json, text, fails }) => {
    expect(await json('tool', 'describe', 'audit_list')).toMatchObject({ name: 'audit.list' });
    expect(JSON.parse(await text('tool', 'describe', 'read_page'))).toMatchObject({ name: 'read_page' });
    expect(await fails(3, 'tool', 'describe', 'nothing')).toMatchObject({ code: 'unknown_tool' });
  },
  'tool call': async ({ json, fails, run, name }) => {
    const made = await json('tool', 'call', 'create_page', JSON.stringify({ title: name }));
    expect(made).toMatchObject({ path: name });
    expect(await json('tool', 'call', 'read_page', '--arg', `page=${name}`)).toMatchObject({ title: name });
    const piped = await run(['tool', 'call', 'read_page', '-'], JSON.stringify({ page: name }));
    expect(JSON.parse(piped.stdout)).toMatchObject({ title: name });
    expect(await fails(2, 'tool', 'call', 'read_page', '[1]')).toMatchObject({ field: 'input' });
    expect(await fails(2, 'tool', 'call', 'read_page', '--arg', 'page')).toMatchObject({ field: '--arg' });
    expect(await fails(3, 'tool', 'call', 'nothing')).toMatchObject({ code: 'unknown_tool' });
  },
  'policy explain': async ({ json, text, fails }) => {
    expect(await json('policy', 'explain', 'owner', 'delete_page')).toMatchObject({ allowed: true });
    expect(await text('policy', 'explain', 'role:client', 'get_mcp_token')).toMatch(
      /^(yes|NO ) {2}.*(\n.*)*\ndenied\n$/,
    );
    expect(await fails(3, 'policy', 'explain', 'nobody', 'delete_page')).toMatchObject({ code: 'not_found' });
  },
  'policy rules': async ({ json, text }) => {
    expect(await json('policy', 'rules')).toMatchObject({ rules: expect.any(Array) });
    expect(await text('policy', 'rules')).toMatch(/^EFFECT +WHO +WHAT +REASON +ID\n/);
  },
  'policy allow': async ({ json, text, fails, name }) => {
    const { rule } = await json<{ rule: { id: string } }>('policy', 'allow', `client:${name}`, 'search');
    expect(await text('policy', 'rules')).toContain(rule.id);
    expect(await fails(2, 'policy', 'allow', 'whoever', 'search')).toMatchObject({ field: 'who' });
  },
  'policy deny': async ({ json, text, name }) => {
    await json('client', 'add', name);
    expect(await text('policy', 'deny', `client:${name}`, 'search', '--reason', 'no')).toMatch(
      /^Rule \S+ is in force\n$/,
    );
    expect(await json('policy', 'explain', name, 'search')).toMatchObject({ allowed: false });
  },
  'policy remove': async ({ json, text, fails, name }) => {
    const { rule } = await json<{ rule: { id: string } }>('policy', 'deny', `client:${name}`, 'search');
    expect(await text('policy', 'remove', rule.id)).toBe('The rule is gone\n');
    expect(await fails(3, 'policy', 'remove', rule.id)).toMatchObject({ code: 'not_found' });
  },
  'permission grant': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    await json('client', 'add', name);
    expect(await text('permission', 'grant', name, `client:${name}`, 'hidden')).toBe(
      `client "${name}" has hidden there\n`,
    );
    expect(await json('permission', 'grant', '/', `client:${name}`, 'read')).toMatchObject({ page: null });
    expect(await fails(2, 'permission', 'grant', name, name, 'hidden')).toMatchObject({ field: 'who' });
    expect(await fails(2, 'permission', 'grant', name, `client:${name}`, 'all')).toMatchObject({
      field: 'level',
    });
    expect(await fails(2, 'permission', 'grant', name, 'role:owner', 'read')).toMatchObject({
      field: 'subject',
    });
  },
  'permission revoke': async ({ json, text, fails, name }) => {
    await json('page', 'create', name);
    await json('permission', 'grant', name, 'agent:scout', 'drop');
    expect(await text('permission', 'revoke', name, 'agent:scout')).toBe(
      'agent "scout" has "drop" no more there\n',
    );
    expect(await fails(3, 'permission', 'revoke', name, 'agent:scout')).toMatchObject({ code: 'not_found' });
  },
  'permission list': async ({ json, text, name }) => {
    const { path } = await json<{ path: string }>('page', 'create', name);
    await json('permission', 'grant', name, 'agent:scout', 'propose');
    const { grants } = await json<{ grants: object[] }>('permission', 'list', '--page', name);
    expect(grants).toContainEqual(expect.objectContaining({ path, subject: 'scout', level: 'propose' }));
    expect(await text('permission', 'list')).toMatch(
      /^PAGE +WHO +LEVEL +BY\n(.*\n)*.* agent:scout +propose /,
    );
  },
  'workspace read-only': async ({ json, text, fails, name }) => {
    expect(await text('workspace', 'read-only', 'on')).toMatch(/^".+" is read-only\n$/);
    expect(await fails(4, 'page', 'create', name)).toMatchObject({
      code: 'denied',
      reason: 'read_only',
      message: expect.stringContaining('"sluice workspace read-only off"'),
    });
    expect(await text('workspace', 'list')).toMatch(/ current, read-only /);
    expect(await text('status')).toMatch(/^read_only +true$/m);
    expect(await json('workspace', 'read-only', 'off')).toMatchObject({ read_only: false, changed: true });
    await json('page', 'create', name);
    expect(await text('workspace', 'list')).not.toContain('read-only');
    expect(await fails(2, 'workspace', 'read-only', 'perhaps')).toMatchObject({ field: 'switch' });
  },
  'policy roles': async ({ json, text }) => {
    const { roles } = await json<{ roles: { name: string }[] }>('policy', 'roles');
    expect(roles.map(({ name }) => name)).toContain('client');
    expect(await text('policy', 'roles')).toMatch(/^ROLE +REACH +VERSION +TOOLS +SCOPES\n/);
  },
  'policy set-role': async ({ json, text, fails }) => {
    const name = 'librarian';
    const args = ['policy', 'set-role', name, '--tools', 'search', '--scopes', 'workspace.read'];
    expect(await text(...args)).toMatch(/^The role is set \(version \d+\)\n$/);
    const { roles } = await json<{ roles: { name: string }[] }>('policy', 'roles');
    expect(roles.find((role) => role.name === name)).toMatchObject({ tools: ['search'] });
    expect(await fails(2, ...args, '--reach', 'far')).toMatchObject({ code: 'invalid_input' });
  },
};
