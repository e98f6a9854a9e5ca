/** Looks for tokens and secrets everywhere Sluice writes, prints or answers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRecords } from '../support/audit.ts';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../support/process.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { legacyHttp, modernHttp, refusalOf, startStdio } from '../support/wires.ts';

/** Every file below a folder with its bytes, the write-ahead log of the database among them. */
function bytesBelow(folder: string): readonly [string, Buffer][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path)]);
}

/** As it is, in upper case, as base64, and as the bytes the hex stands for. */
function formsOf(token: string): Buffer[] {
  const bytes = Buffer.from(token, 'hex');
  return [
    Buffer.from(token),
    Buffer.from(token.toUpperCase()),
    Buffer.from(Buffer.from(token).toString('base64').slice(0, 80)),
    Buffer.from(bytes.toString('base64url').slice(0, 40)),
    bytes,
  ];
}

function expectNowhere(folder: string, tokens: readonly string[]): void {
  for (const [path, bytes] of bytesBelow(folder)) {
    for (const token of tokens) {
      for (const form of formsOf(token)) expect(bytes.includes(form), path).toBe(false);
    }
  }
}

describe('tokens', () => {
  const home = temporaryFolder();
  const tokens: string[] = [];
  let server: RunningServer;

  beforeAll(async () => {
    server = await startServer(home, { env: { SLUICE_LOG: 'debug' } });
    tokens.push((await asOwner<{ token: string }>(home, 'get_mcp_token')).token);
    tokens.push((await asOwner<{ token: string }>(home, 'regenerate_mcp_token')).token);
    tokens.push(await addClient(home, 'first'), await addClient(home, 'second', { expires: '1d' }));
  });
  afterAll(() => server?.stop());

  it('[HOST-31] are on no disk and in no log, while the server runs and afterwards', async () => {
    const [owner = '', , client = ''] = tokens.slice(1);
    for (const token of [owner, client]) {
      const wire = modernHttp(server.port, token);
      await wire.ask('tools/call', { name: 'search', arguments: { query: 'x' } });
      await wire.ask('tools/call', { name: 'search', arguments: { query: 5 } });
      await wire.ask('tools/call', { name: 'nowhere', arguments: {} });
      await (await legacyHttp(server.port, token)).ask('tools/list');
    }
    // In places where no token belongs, and where a careless program would write it down.
    const { body, headers } = modernRequest('tools/call', { name: 'search', arguments: {} });
    for (const token of tokens) {
      await rawRequest(server.port, {
        target: `/mcp?token=${token}`,
        headers: [['Authorization', `Bearer ${token}x`], ...Object.entries(headers)],
        body: JSON.stringify(body),
      });
      await rawRequest(server.port, { target: `/${token}`, headers: [['Origin', `http://${token}`]] });
    }
    expectNowhere(home, tokens);
    for (const token of tokens) expect(server.output()).not.toContain(token);
    await server.stop();
    expectNowhere(home, tokens);
    server = await startServer(home, { env: { SLUICE_LOG: 'debug' } });
    expectNowhere(home, tokens);
  });

  it('[HOST-31] are printed by nothing but the commands that are there to show them', async () => {
    const commands = [
      ['status'],
      ['status', '--json'],
      ['config', 'show', '--json'],
      ['config', 'explain', 'store.url'],
      ['client', 'list', '--all', '--json'],
      ['audit', 'list', '--limit', '500'],
      ['audit', 'export'],
      ['audit', 'verify'],
      ['policy', 'explain', 'first', 'search'],
      ['tool', 'list'],
      ['tool', 'call', 'get_mcp_status'],
      ['doctor'],
      ['client', 'revoke', 'second'],
    ];
    for (const command of commands) {
      const { stdout, stderr } = await runSluice(home, command);
      for (const token of tokens) expect(stdout + stderr, command.join(' ')).not.toContain(token);
    }
    expect(readFileSync(join(home, 'running.json'), 'utf8')).not.toMatch(/[0-9a-f]{64}/);
    expect((await runSluice(home, ['token', 'show'])).stdout.trim()).toBe(tokens[1]);
  });

  it('[HOST-31] are in no answer and no record but the answer that makes or shows them', async () => {
    const exported = (await runSluice(home, ['audit', 'export'])).stdout;
    for (const token of tokens) expect(exported).not.toContain(token);
    const wire = modernHttp(server.port, tokens[1] ?? '');
    const seen: string[] = [];
    for (const name of ['get_mcp_status', 'client.list', 'audit.list', 'policy.role.list', 'get_my_scopes']) {
      seen.push(JSON.stringify(await wire.ask('tools/call', { name, arguments: {} })));
    }
    for (const token of tokens) expect(seen.join()).not.toContain(token);
  });

  it('[HOST-31] that a client sends as an argument are not written down either', async () => {
    const wire = modernHttp(server.port, tokens[1] ?? '');
    const secret = 'b'.repeat(64);
    await wire.ask('tools/call', { name: 'read_page', arguments: { page: secret, version: secret } });
    await wire.ask('tools/call', {
      name: 'create_page',
      arguments: { title: 'x', idempotency_key: '', content: secret },
    });
    const stored = bytesBelow(home).filter(([, bytes]) => bytes.includes(secret));
    expect(stored).toEqual([]);
  });

  it('[HOST-31] cannot be had from a backup without its keys', async () => {
    const folder = join(temporaryFolder(), 'backup');
    await sluiceJson(home, 'backup', folder);
    expectNowhere(folder, tokens);
  });
});

describe('the words of a fault', () => {
  const SECRET = 'hunter2-never-to-be-seen';
  const home = temporaryFolder();
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startFixtureServer(home);
  });
  afterAll(() => server?.close());

  it('[HOST-32] stay inside, on every wire', async () => {
    const token = await addClient(home, 'clumsy');
    const wires = [modernHttp(server.port, token), await legacyHttp(server.port, token)];
    for (const wire of wires) {
      const answer = await wire.ask('tools/call', { name: 'fixture.fail', arguments: { secret: SECRET } });
      expect(answer.error).toMatchObject({ code: -32603, data: { code: 'internal' } });
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
    const program = startStdio(home, ['--client', 'clumsy']);
    const params = { name: 'fixture.fail', arguments: { secret: SECRET } };
    program.send(modernRequest('tools/call', params, 1).body);
    expect(refusalOf(await program.answer(1)).code).toBe('internal');
    await program.close();
    expect(JSON.stringify(program.received()) + program.stderr()).not.toContain(SECRET);

    const local = await runSluice(home, ['tool', 'call', 'fixture.fail', JSON.stringify({ secret: SECRET })]);
    expect(local.code).toBe(1);
    expect(local.stdout + local.stderr).not.toContain(SECRET);

    const records = await auditRecords(home, { tool_name: 'fixture.fail' });
    expect(records.filter(({ error_code }) => error_code === 'internal')).toHaveLength(4);
    expect(JSON.stringify(records)).not.toContain(SECRET);
    expect(server.log()).toContain('call_failed');
    expect(server.log()).not.toContain(SECRET);
    for (const [path, bytes] of bytesBelow(home)) expect(bytes.includes(SECRET), path).toBe(false);
  });

  it('[HOST-32] neither does an answer of the wrong shape or size get out', async () => {
    const wire = modernHttp(server.port, await addClient(home, 'curious'));
    const wrong = await wire.ask('tools/call', { name: 'fixture.wrong_output', arguments: {} });
    expect(refusalOf(wrong).code).toBe('internal');
    expect(JSON.stringify(wrong)).not.toContain('many');
    const large = await wire.ask('tools/call', {
      name: 'fixture.large',
      arguments: { characters: 2_000_000 },
    });
    expect(refusalOf(large).code).toBe('output_too_large');
  });
});
