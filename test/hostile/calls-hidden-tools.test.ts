/** Tries to reach, or only to notice, what policy hides from a client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSluice } from '../../src/index.ts';
import { type AuditFacts, auditHead, auditRecords, storyOf } from '../support/audit.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { addClient } from '../support/owner.ts';
import { type RunningServer, startServer } from '../support/process.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { legacyHttp, legacyStdio, modernHttp, modernStdio, namesIn, type Wire } from '../support/wires.ts';

const home = temporaryFolder();
let server: RunningServer;
let guest: string;
let outcast: string;

beforeAll(async () => {
  server = await startServer(home);
  guest = await addClient(home, 'guest');
  outcast = await addClient(home, 'outcast', { scopes: ['sandbox.python'] });
});
afterAll(() => server?.stop());

const wires: readonly [string, () => Promise<Wire>][] = [
  ['HTTP of 2026', async () => modernHttp(server.port, guest)],
  ['HTTP of 2025', () => legacyHttp(server.port, guest)],
  ['stdio of 2026', async () => modernStdio(home, 'guest')],
  ['stdio of 2025', () => legacyStdio(home, 'guest')],
];

/** Tools that exist and that a client must not see, in both forms of their names. */
const HIDDEN = [
  'get_mcp_token',
  'regenerate_mcp_token',
  'set_mcp_enabled',
  'client.add',
  'client_add',
  'audit.list',
  'audit_export',
  'policy.role.set',
  'policy_role_set',
  'workspace.open',
  'home.backup',
];

/** As long as the hidden name, so that nothing but the name can differ. */
const absentLike = (name: string): string => `zz${name.slice(2)}`;

const asks = (name: string): readonly [string, Record<string, unknown>][] => [
  ['tools/call', { name, arguments: {} }],
  ['tools/call', { name, arguments: { page: 5, path: '/tmp/x', name: 'x' } }],
  ['prompts/get', { name }],
  ['resources/read', { uri: name }],
  ['resources/read', { uri: `sluice://tool/${name}` }],
  ['resources/read', { uri: `inklings://workspace/${name}` }],
];

const withoutId = (message: { id?: unknown }): string => JSON.stringify({ ...message, id: 0 });

describe.each(wires)('over %s', (_title, open) => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await open();
  });
  afterAll(() => wire?.close());

  it('[HOST-01] answers a hidden name byte for byte like one that does not exist', async () => {
    for (const name of HIDDEN) {
      for (const [method, params] of asks(name)) {
        const hidden = withoutId(await wire.ask(method, params));
        const renamed = JSON.parse(JSON.stringify(params).replaceAll(name, absentLike(name)));
        const absent = withoutId(await wire.ask(method, renamed));
        expect(hidden, `${method} ${name}`).toBe(absent.replaceAll(absentLike(name), name));
        expect(JSON.parse(hidden).error.code).toBeLessThan(-32000);
      }
    }
  });

  it('[HOST-01] takes no other spelling for a visible tool either', async () => {
    for (const name of [
      'Search',
      'SEARCH',
      'search ',
      ' search',
      'search\n',
      'search\0',
      'ѕearch',
      'search.',
    ]) {
      const answer = await wire.ask('tools/call', { name, arguments: { query: 'x' } });
      expect(answer.error?.data?.code, name).toBe('unknown_tool');
    }
  });

  it('[HOST-04] shows nothing more to whoever invents cursors', async () => {
    const visible = namesIn(await wire.ask('tools/list'));
    expect(visible).toContain('search');
    for (const name of ['a', 'get_mcp_tokem', 'client.ada', 'zz', 'policy', 'workspace.opem']) {
      const cursor = Buffer.from(`after:${name}`).toString('base64url');
      const more = namesIn(await wire.ask('tools/list', { cursor }));
      expect(more).toEqual(visible.filter((one) => one > name));
    }
  });
});

it('[HOST-01] is the same down to the headers of the HTTP answer', async () => {
  const ask = async (name: string) => {
    const { body, headers } = modernRequest('tools/call', { name, arguments: {} });
    const answer = await rawRequest(server.port, {
      headers: [['Authorization', `Bearer ${guest}`], ...Object.entries(headers)],
      body: JSON.stringify(body),
    });
    const { date: _, ...kept } = answer.headers;
    return JSON.stringify([answer.status, kept, answer.body]).replaceAll(name, 'NAME');
  };
  for (const name of HIDDEN) expect(await ask(name)).toBe(await ask(absentLike(name)));
});

it('[HOST-01] hides resources and prompts by scope in the same way', async () => {
  const wire = modernHttp(server.port, outcast);
  const pairs = [
    ['resources/read', { uri: 'sluice://workspace/tree' }, { uri: 'sluice://workspace/tres' }],
    ['resources/read', { uri: 'sluice://workspace/page/a' }, { uri: 'sluice://workspace/paga/a' }],
    ['prompts/get', { name: 'weekly_review' }, { name: 'weekly_revies' }],
    ['tools/call', { name: 'read_page' }, { name: 'read_pags' }],
  ] as const;
  for (const [method, hidden, absent] of pairs) {
    const [there = '', nowhere = ''] = [hidden, absent].flatMap((params) => Object.values(params));
    const answer = withoutId(await wire.ask(method, hidden)).replaceAll(there, 'NAME');
    expect(answer).toBe(withoutId(await wire.ask(method, absent)).replaceAll(nowhere, 'NAME'));
  }
  for (const [method, key] of [
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts'],
  ] as const) {
    expect((await wire.ask(method)).result?.[key]).toEqual([]);
  }
});

it('[HOST-01] says in process what it says on the wires', async () => {
  const sluice = await createSluice({ home: temporaryFolder() });
  try {
    const client = sluice.as({ name: 'guest' });
    const wire = modernHttp(server.port, guest);
    for (const name of [...HIDDEN, 'nowhere']) {
      const { error } = await wire.ask('tools/call', { name, arguments: {} });
      const refused = await client.call(name).catch((thrown) => thrown);
      expect(refused.toWire()).toEqual(error?.data);
    }
    const prompt = await client.getPrompt('get_mcp_token').catch((thrown) => thrown);
    expect(prompt.code).toBe('unknown_tool');
    const resource = await client.readResource('sluice://tool/get_mcp_token').catch((thrown) => thrown);
    expect(resource.code).toBe('resource_not_found');
  } finally {
    await sluice.close();
  }
});

it('[HOST-02] tells the owner the same story of it, whatever the wire', async () => {
  const stories = new Map<string, AuditFacts[]>();
  for (const [title, open] of wires) {
    const before = await auditHead(home);
    const wire = await open();
    for (const [method, params] of [...asks('get_mcp_token'), ...asks('zzt_mcp_token')])
      await wire.ask(method, params);
    await wire.close();
    const records = await auditRecords(home, { subject_name: 'guest' }, before);
    stories.set(title, records.map(storyOf));
  }
  const [first, ...others] = [...stories.values()];
  expect(first).toHaveLength(12);
  for (const record of first ?? []) {
    expect(record).toMatchObject({ decision: 'deny', status: 'error', subject_name: 'guest' });
  }
  expect(first?.[0]).toMatchObject({ tool_name: 'get_mcp_token', gate: 'role', error_code: 'unknown_tool' });
  for (const other of others) expect(other).toEqual(first);
});
