import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { loadConfig } from '../config/load-config.ts';
import type { Outcome, Presented } from '../gateway/request.ts';
import { silentLog } from '../kernel/log.ts';
import { composeApp } from './compose.ts';
import { ownerGrant } from './local-grants.ts';

const DAY = 24 * 60 * 60 * 1000;
const home = temporaryFolder();
let now = Date.UTC(2026, 0, 1);
const app = await composeApp({
  home,
  config: loadConfig(home, {}).config,
  log: silentLog,
  clock: { now: () => now },
});
afterAll(() => app.close());

const call = (presented: Presented, name: string, input: unknown = {}): Promise<Outcome> =>
  app.gateway.call({
    target: { kind: 'tool', name, arguments: input },
    presented,
    claims: {},
    source: `test ${now}`,
  });

async function own<T = Record<string, unknown>>(name: string, input: unknown = {}): Promise<T> {
  const outcome = await call({ kind: 'grant', grant: ownerGrant('admin') }, name, input);
  if (!outcome.ok) throw outcome.error;
  return (outcome.answer.kind === 'tool' ? outcome.answer.structured : {}) as T;
}

const bearer = (token: string): Presented => ({ kind: 'bearer', token, surface: 'mcp-http' });

async function whoIs(token: string): Promise<Record<string, unknown> | string> {
  const outcome = await call(bearer(token), 'get_my_scopes');
  if (!outcome.ok) return outcome.error.code;
  return outcome.answer.kind === 'tool' ? { ...outcome.answer.structured } : {};
}

const add = (input: Record<string, unknown>) => own<{ token: string }>('client.add', input);

describe('[POL-18] a client’s token', () => {
  it('carries its role’s scopes, narrowed, and follows the role when that loses some', async () => {
    const { token } = await add({ name: 'narrow', scopes: ['workspace.read', 'memory.read'] });
    expect(await whoIs(token)).toMatchObject({ role: 'client', scopes: ['memory.read', 'workspace.read'] });
    const role = { name: 'client', tools: ['**'], reach: 'orchestrator' };
    await own('policy.role.set', { ...role, scopes: ['workspace.read', 'workspace.write', 'review'] });
    expect(await whoIs(token)).toMatchObject({ scopes: ['workspace.read'] });
    await own('policy.role.set', { ...role, scopes: [] });
    expect(await whoIs(token)).toMatchObject({ scopes: [] });
    await own('policy.role.set', {
      ...role,
      scopes: ['workspace.read', 'workspace.propose', 'memory.read', 'memory.write'],
    });
  });

  it('may hold no scope at all', async () => {
    const { token } = await add({ name: 'bare', scopes: [] });
    expect(await whoIs(token)).toMatchObject({ scopes: [] });
  });

  it.each([
    [{ scopes: ['settings.manage'] }, 'scopes'],
    [{ scopes: ['workspace.own'] }, 'scopes'],
    [{ role: 'king' }, 'role'],
    [{ expires: '2020-01-01' }, 'expires'],
    [{ expires: 'never' }, 'expires'],
    [{ workspace: 'nowhere' }, 'workspace'],
    [{ name: 'a/b' }, 'name'],
    [{ origin: 'divine' }, 'origin'],
  ])('is not made from %j', async (wish, field) => {
    await expect(add({ name: 'wrong', ...wish })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field },
    });
  });

  it('is shown once, and kept nowhere', async () => {
    const { token } = await add({ name: 'secret' });
    const said = JSON.stringify([await own('client.list', { all: true }), await own('audit.export')]);
    expect(said).not.toContain(token);
  });

  it('is of no use to whoever has nearly the right one', async () => {
    const { token } = await add({ name: 'exact' });
    for (const wrong of ['', token.slice(1), `${token}0`, token.toUpperCase(), token.replace(/^./, 'g')]) {
      if (wrong === token) continue;
      expect(await whoIs(wrong)).toBe('unauthenticated');
    }
    expect(await whoIs(token)).toMatchObject({ principal: { name: 'exact' } });
  });

  it('ends when it expires', async () => {
    const { token } = await add({ name: 'dated', expires: '1d' });
    now += DAY - 1;
    expect(await whoIs(token)).toMatchObject({ principal: { name: 'dated' } });
    now += 1;
    expect(await whoIs(token)).toBe('unauthenticated');
  });

  it('ends when it is revoked, and a name can then be given again', async () => {
    const first = await add({ name: 'again' });
    await expect(add({ name: 'again' })).rejects.toMatchObject({ code: 'conflict' });
    await own('client.revoke', { name: 'again' });
    expect(await whoIs(first.token)).toBe('unauthenticated');
    await expect(own('client.revoke', { name: 'again' })).rejects.toMatchObject({ code: 'not_found' });
    const second = await add({ name: 'again' });
    expect(await whoIs(first.token)).toBe('unauthenticated');
    expect(await whoIs(second.token)).toMatchObject({ principal: { name: 'again' } });
  });

  it('is revoked by its name also where an expired one has the same', async () => {
    await add({ name: 'renewed', expires: '1d' });
    now += 2 * DAY;
    const { token } = await add({ name: 'renewed' });
    expect(await whoIs(token)).toMatchObject({ principal: { name: 'renewed' } });
    const { client } = await own<{ client: { state: string } }>('client.revoke', { name: 'renewed' });
    expect(client.state).toBe('revoked');
    expect(await whoIs(token)).toBe('unauthenticated');
  });

  it('never makes its holder the owner', async () => {
    await expect(add({ name: 'owner' })).rejects.toMatchObject({ code: 'invalid_input' });
    const { token } = await add({ name: 'pretender', role: 'owner' });
    // It is still a client, for whom nothing is allowed without a rule.
    expect(await whoIs(token)).toBe('unknown_tool');
  });
});

describe('[POL-19] the owner’s token', () => {
  it('is shown on request, speaks for the author, and is void once there is a new one', async () => {
    const { token } = await own<{ token: string }>('get_mcp_token');
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await whoIs(token)).toMatchObject({
      principal: { kind: 'author', id: 'owner' },
      writes: { origin: 'authored', lifecycle: 'canonical' },
    });
    const { token: next } = await own<{ token: string }>('regenerate_mcp_token');
    expect(await whoIs(token)).toBe('unauthenticated');
    expect(await whoIs(next)).toMatchObject({ principal: { id: 'owner' } });
    expect(await own('get_mcp_token')).toEqual({ token: next });
  });

  it('is in no status, list or record', async () => {
    const { token } = await own<{ token: string }>('get_mcp_token');
    const said = JSON.stringify([
      await own('get_mcp_status'),
      await own('client.list', { all: true }),
      await own('audit.export'),
    ]);
    expect(said).not.toContain(token);
  });
});
