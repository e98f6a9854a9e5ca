/** What a token is offered of the catalogue: toolsets, caps, and finding what a list is too short for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UNLIMITED } from '../../test/support/unlimited.ts';
import { type Answer, openWholeApp, owner, type WholeApp } from '../../test/support/whole-app.ts';
import type { Grant } from '../domain/governance/credentials.ts';
import type { Outcome } from '../gateway/request.ts';
import { clientGrant } from './local-grants.ts';

const FINDERS = ['tools_call', 'tools_describe', 'tools_search'];

let whole: WholeApp;
beforeAll(async () => {
  whole = await openWholeApp(temporaryFolder(), { ...UNLIMITED, 'search.embedder': 'none' });
});
afterAll(() => whole?.app.close());

const asClient = (name: string): Grant =>
  clientGrant(whole.app.governance(), name, whole.app.clock.now(), 'in-process');

async function client(name: string, further: Answer = {}): Promise<Grant> {
  await whole.call(owner, 'client.add', { name, ...further });
  return asClient(name);
}

async function listed(grant: Grant): Promise<readonly string[]> {
  const names: string[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const presented = { kind: 'grant', grant } as const;
    const page = await whole.app.gateway.list('tools', { presented, claims: {}, source: 'test', cursor });
    names.push(...page.items.map((item) => item.name));
    cursor = page.nextCursor;
  }
  return names;
}

const ask = (grant: Grant, name: string, input: Answer = {}): Promise<Outcome> =>
  whole.ask(grant, { kind: 'tool', name, arguments: input });

const codeOf = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code);

async function lastRecords(limit: number): Promise<readonly Answer[]> {
  const { records } = await whole.call(owner, 'audit.list', { limit, subject_name: 'finder' });
  return records as Answer[];
}

const lastRecord = async (): Promise<Answer> => (await lastRecords(1))[0] ?? {};

describe('a toolset', () => {
  it('[TSET-02] narrows what is listed and what can be called, whatever the role gives', async () => {
    await whole.call(owner, 'client.toolset.set', { name: 'docs', tools: ['search', 'get_*'] });
    const grant = await client('narrow', { toolset: 'docs' });
    const names = await listed(grant);
    expect(names).toContain('search');
    expect(names.filter((name) => name !== 'search' && !name.startsWith('get_'))).toEqual([]);
    expect(codeOf(await ask(grant, 'read_page', { page: 'x' }))).toBe('unknown_tool');
    expect(codeOf(await ask(grant, 'search', { query: 'x' }))).toBe('ok');
    // A toolset never gives what the role does not.
    expect(names).not.toContain('get_mcp_token');
    expect(codeOf(await ask(grant, 'get_mcp_token'))).toBe('unknown_tool');
  });

  it('[TSET-02] is in force at once for whoever is connected already', async () => {
    const before = asClient('narrow');
    await whole.call(owner, 'client.toolset.set', { name: 'docs', tools: ['read_page'] });
    expect(await listed(before)).toEqual(['read_page']);
    expect(codeOf(await ask(before, 'search', { query: 'x' }))).toBe('unknown_tool');
    await whole.call(owner, 'client.limit', { name: 'narrow', toolset: null });
    expect(await listed(before)).toContain('search');
    await whole.call(owner, 'client.limit', { name: 'narrow', toolset: 'docs' });
    expect(await listed(before)).toEqual(['read_page']);
  });

  it('[TSET-02] leaves resources and prompts of our own to the role', async () => {
    const presented = { kind: 'grant', grant: asClient('narrow') } as const;
    const page = await whole.app.gateway.list('prompts', { presented, claims: {}, source: 'test' });
    expect(page.items.length).toBeGreaterThan(0);
  });

  it('[TSET-08] is explained, checked, and kept while a client has it', async () => {
    const { gates } = await whole.call(owner, 'policy.explain', { caller: 'narrow', tool: 'search' });
    expect(JSON.stringify(gates)).toContain('the toolset \\"docs\\" does not hold \\"search\\"');
    const set = (input: Answer) => ask(owner, 'client.toolset.set', { name: 'x', tools: ['a'], ...input });
    for (const wrong of [{ name: 'A b' }, { tools: [] }, { tools: ['a b'] }, { pinned: ['***'] }])
      expect(codeOf(await set(wrong))).toBe('invalid_input');
    expect(codeOf(await ask(owner, 'client.toolset.remove', { name: 'docs' }))).toBe('conflict');
    expect(codeOf(await ask(owner, 'client.add', { name: 'y', toolset: 'nothing' }))).toBe('invalid_input');
    const { warnings } = await whole.call(owner, 'client.toolset.set', { name: 'z', tools: ['no.such'] });
    expect(warnings).toEqual(['There is no tool that fits "no.such" now']);
    await whole.call(owner, 'client.toolset.remove', { name: 'z' });
  });
});

describe('a cap', () => {
  let all: readonly string[];
  beforeAll(async () => {
    all = await listed(await client('wide'));
  });

  it('[TSET-03] shortens a list that is longer to so many, those that find the others among them', async () => {
    const grant = await client('capped', { cap: 12 });
    const names = await listed(grant);
    expect(names).toHaveLength(12);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining([...FINDERS, 'search', 'read_page', 'create_page']));
    expect(codeOf(await ask(grant, 'untag_page', { page: [] }))).toBe('invalid_input');
  });

  it('[TSET-03] leaves a list that fits as it is, without anything to find more', async () => {
    const grant = await client('roomy', { cap: all.length });
    expect(await listed(grant)).toEqual(all);
    for (const name of FINDERS)
      for (const who of [grant, asClient('wide')])
        expect(codeOf(await ask(who, name, { query: 'x', names: ['search'], name: 'search' }))).toBe(
          'unknown_tool',
        );
    await whole.call(owner, 'client.limit', { name: 'roomy', cap: all.length - 1 });
    expect(await listed(grant)).toHaveLength(all.length - 1);
  });

  it('[TSET-03] shows what was pinned, in both forms of names', async () => {
    const pinned = ['search', 'memory.*'];
    await whole.call(owner, 'client.toolset.set', { name: 'pins', tools: ['**'], pinned });
    const grant = await client('pinned', { toolset: 'pins', cap: 6, names: 'underscore' });
    const names = await listed(grant);
    expect(names).toEqual([...FINDERS, 'memory_add', 'memory_delete', 'search'].sort());
  });

  it('[TSET-03] tells whoever watches when the list looks different', async () => {
    const grant = asClient('capped');
    const told: unknown[] = [];
    const watch = await whole.app.gateway.watch({
      grant,
      claims: {},
      source: 'test',
      deliver: (change) => told.push(change),
    });
    await whole.call(owner, 'client.limit', { name: 'capped', cap: 10 });
    expect(told).toEqual([{ kind: 'list', list: 'tools' }]);
    watch.close();
  });
});

describe('finding what a list is too short for', () => {
  let grant: Grant;
  beforeAll(async () => {
    grant = await client('finder', { cap: 5 });
  });

  it('[TSET-05] finds by words, other words and misspelled ones, and says plainly when nothing fits', async () => {
    const found = async (query: string): Promise<readonly string[]> => {
      const { matches } = await whole.call(grant, 'tools_search', { query });
      return (matches as { name: string }[]).map(({ name }) => name);
    };
    expect((await found('rename page'))[0]).toBe('rename_page');
    expect((await found('trash a note')).slice(0, 3)).toContain('delete_page');
    expect((await found('renmae a taag')).slice(0, 2)).toContain('rename_tag');
    expect(await found('order a pizza with extra cheese')).toEqual([]);
    expect(await whole.call(grant, 'tools_search', { query: 'qqqq' })).toMatchObject({
      matches: [],
      note: expect.stringMatching(/^Nothing matches among your \d+ tools$/),
    });
    expect(await whole.call(grant, 'tools_search', { query: 'search', limit: 1 })).toMatchObject({
      matches: [{ name: 'search', effect: 'read_only', tokens: expect.any(Number) }],
      by: 'words',
    });
  });

  it('[TSET-06] shows nothing but what the same caller could call', async () => {
    const callable = new Set(await listed(asClient('wide')));
    for (const query of [
      'get mcp token',
      'client add token',
      'audit list',
      'backup',
      'policy role',
      'tools',
    ]) {
      const { matches } = await whole.call(grant, 'tools_search', { query, limit: 25 });
      for (const { name } of matches as { name: string }[]) expect(callable).toContain(name);
    }
    const { tools } = await whole.call(grant, 'tools_describe', { names: ['read_page', 'rename_page'] });
    expect(tools).toMatchObject([
      { name: 'read_page', inputSchema: { properties: { page: {} } } },
      { name: 'rename_page' },
    ]);
    const hidden = await ask(grant, 'tools_describe', { names: ['get_mcp_token'] });
    const absent = await ask(grant, 'tools_describe', { names: ['get_mcp_tokem'] });
    const said = (outcome: Outcome): string => (outcome.ok ? '' : JSON.stringify(outcome.error.toWire()));
    expect(said(hidden)).toBe(said(absent).replace('tokem', 'token'));
    expect(said(hidden)).toBe(said(await ask(grant, 'get_mcp_token')));
  });

  it('[TSET-04] calls as if by name: the same answer, one record of the tool that says how it was reached', async () => {
    const direct = await ask(grant, 'get_my_scopes');
    const byName = await lastRecord();
    const through = await ask(grant, 'tools_call', { name: 'get_my_scopes', arguments: {} });
    const reached = await lastRecord();
    expect(through).toMatchObject({ ok: true, answer: direct.ok ? direct.answer : {} });
    expect(reached).toMatchObject({
      tool_name: 'get_my_scopes',
      family: 'control',
      effect: 'read_only',
      status: 'success',
      input_digest: byName.input_digest,
      invocation_class: 'tools_call',
    });
    expect((await lastRecords(2))[1]).toEqual(byName);
  });

  it('[TSET-04] writes, asks and retries as if by name', async () => {
    const input = { title: 'Through', content: 'x', idempotency_key: 'one' };
    const first = await whole.call(grant, 'tools_call', { name: 'create_page', arguments: input });
    expect(await whole.call(grant, 'create_page', input)).toEqual(first);
    const text = { name: 'read_page', arguments: JSON.stringify({ page: first.id }) };
    expect(await whole.call(grant, 'tools_call', text)).toMatchObject({ title: 'Through' });
  });

  it('[TSET-04] refuses in the same words what is refused by name', async () => {
    const cases: readonly [string, Answer | string][] = [
      ['read_page', {}],
      ['read_page', { page: 5 }],
      ['read_page', 'no object'],
      ['get_mcp_token', {}],
      ['nowhere', {}],
      ['provider.note_discovery', { id: 'x', failure: 'y' }],
      ['\u0000', {}],
      ['x'.repeat(1_000), {}],
    ];
    for (const [name, input] of cases) {
      const direct = await whole.ask(grant, { kind: 'tool', name, arguments: input });
      const byName = await lastRecord();
      const through = await ask(grant, 'tools_call', { name, arguments: input });
      const reached = await lastRecord();
      expect(direct.ok || through.ok, name).toBe(false);
      if (direct.ok || through.ok) continue;
      expect(through.error.toWire(), name).toEqual(direct.error.toWire());
      for (const field of ['tool_name', 'decision', 'gate', 'error_code', 'effect', 'server', 'status'])
        expect(reached[field], `${name} ${field}`).toEqual(byName[field]);
    }
  });

  it('[TSET-04] leads neither to itself nor to nothing, and can be switched off', async () => {
    expect(codeOf(await ask(grant, 'tools_call', { name: 'tools_call' }))).toBe('invalid_input');
    for (const input of [{}, { name: 5 }, { name: '' }, { name: ['search'] }])
      expect(codeOf(await ask(grant, 'tools_call', input))).toBe('invalid_input');
    await whole.call(owner, 'set_tool_enabled', { tool: 'tools_call', enabled: false });
    expect(await ask(grant, 'tools_call', { name: 'get_my_scopes' })).toMatchObject({
      error: { message: 'Unknown tool: tools_call' },
    });
    await whole.call(owner, 'set_tool_enabled', { tool: 'tools_call', enabled: true });
  });
});
