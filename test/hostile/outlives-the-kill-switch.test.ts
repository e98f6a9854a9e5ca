/** Holds on to everything one can hold on to, while the owner switches it off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditRecords } from '../support/audit.ts';
import { type FixtureServer, startFixtureServer } from '../support/fixture-server.ts';
import { connectHttp, connectStdio } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { type RunningServer, runSluice, startServer } from '../support/process.ts';
import { rawRequest } from '../support/raw-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import {
  legacyHttp,
  legacyStdio,
  modernHttp,
  modernStdio,
  namesIn,
  refusalOf,
  type Wire,
} from '../support/wires.ts';

/** Refused however the wire says it: as an error of the protocol or as a status of HTTP. */
const isOff = async (wire: Wire, method: string, params: Record<string, unknown>): Promise<boolean> => {
  const answer = await wire.ask(method, params);
  return refusalOf(answer).code === 'disabled';
};

describe('the server as it is', () => {
  const home = temporaryFolder();
  let server: RunningServer;
  let token = '';
  beforeAll(async () => {
    server = await startServer(home);
    token = await addClient(home, 'clinger');
  });
  afterAll(() => server?.stop());

  it('[HOST-25] the switch stops lists, calls and streams of everybody, and stays off over a restart', async () => {
    const session = await legacyHttp(server.port, token);
    const wires = [
      modernHttp(server.port, token),
      modernHttp(server.port, (await asOwner<{ token: string }>(home, 'get_mcp_token')).token),
      modernStdio(home, 'clinger'),
      await legacyStdio(home, 'somebody'),
    ];
    for (const wire of wires) expect(namesIn(await wire.ask('tools/list'))).toContain('create_page');
    const stream = rawRequest(server.port, { method: 'GET', headers: session.headers });
    await until(async () => (await asOwner<{ sessions: number }>(home, 'get_mcp_status')).sessions === 1);

    expect(await runSluice(home, ['disable'])).toMatchObject({ code: 0 });
    for (const wire of wires) {
      expect(await isOff(wire, 'tools/list', {})).toBe(true);
      expect(await isOff(wire, 'tools/call', { name: 'search', arguments: { query: 'x' } })).toBe(true);
      expect(await isOff(wire, 'tools/call', { name: 'no_such_tool' })).toBe(true);
      expect(await isOff(wire, 'prompts/get', { name: 'weekly_review' })).toBe(true);
    }
    const answer = await rawRequest(server.port, { headers: session.headers, body: '{}' });
    expect(answer.status).toBe(503);
    await stream;

    await server.stop();
    server = await startServer(home, { port: server.port });
    const again = modernHttp(server.port, token);
    expect(await isOff(again, 'tools/list', {})).toBe(true);
    expect(await isOff(again, 'tools/call', { name: 'search', arguments: { query: 'x' } })).toBe(true);
    await expect(legacyHttp(server.port, token)).rejects.toThrow(/503/);

    expect((await runSluice(home, ['status'])).stdout).toMatch(/enabled\s+false/);
    const blocked = await runSluice(home, ['search', 'x']);
    expect([blocked.code, blocked.stderr]).toEqual([6, expect.stringContaining('try: sluice enable')]);
    expect(await runSluice(home, ['enable'])).toMatchObject({ code: 0 });
    expect(namesIn(await again.ask('tools/list'))).toContain('search');
    expect(await isOff(again, 'tools/call', { name: 'search', arguments: { query: 'x' } })).toBe(false);
    for (const wire of wires.slice(2)) await wire.close();
  });

  it('[HOST-25] a connection over stdio works again when it is switched on again', async () => {
    const wire = await legacyStdio(home, 'clinger');
    await asOwner(home, 'set_mcp_enabled', { enabled: false });
    expect(await isOff(wire, 'tools/list', {})).toBe(true);
    await asOwner(home, 'set_mcp_enabled', { enabled: true });
    expect(namesIn(await wire.ask('tools/list'))).toContain('search');
    await wire.close();
  });

  it('[HOST-25] whoever switches it off over the network hears that it worked, and cannot switch it on again', async () => {
    const { token: owner } = await asOwner<{ token: string }>(home, 'get_mcp_token');
    const wire = modernHttp(server.port, owner);
    const off = await wire.ask('tools/call', { name: 'set_mcp_enabled', arguments: { enabled: false } });
    expect(off.result?.structuredContent).toEqual({ enabled: false });
    const on = await wire.ask('tools/call', { name: 'set_mcp_enabled', arguments: { enabled: true } });
    expect(refusalOf(on).code).toBe('disabled');
    await asOwner(home, 'set_mcp_enabled', { enabled: true });
  });

  it('[HOST-25] what is refused meanwhile is recorded', async () => {
    const records = await auditRecords(home, { error_code: 'disabled', subject_name: 'clinger' });
    expect(records.length).toBeGreaterThan(5);
    for (const record of records) expect(record).toMatchObject({ decision: 'deny', status: 'error' });
  });

  it('[HOST-26] one tool that is switched off is absent for everybody, over a restart, until it is switched on', async () => {
    const wires = [modernHttp(server.port, token), await legacyStdio(home, 'clinger')];
    expect((await runSluice(home, ['disable', '--tool', 'search'])).code).toBe(0);
    const absent = async (wire: Wire): Promise<void> => {
      expect(namesIn(await wire.ask('tools/list'))).not.toContain('search');
      const refused = await wire.ask('tools/call', { name: 'search', arguments: { query: 'x' } });
      expect(refusalOf(refused).code).toBe('unknown_tool');
      const other = await wire.ask('tools/call', { name: 'get_workspace', arguments: {} });
      expect(other.result?.isError).toBeUndefined();
    };
    for (const wire of wires) await absent(wire);
    await wires[1]?.close();
    await server.stop();
    server = await startServer(home, { port: server.port });
    await absent(modernHttp(server.port, token));
    expect((await runSluice(home, ['enable', '--tool', 'search'])).code).toBe(0);
    expect(namesIn(await modernHttp(server.port, token).ask('tools/list'))).toContain('search');
  });
});

describe('calls under way', () => {
  const home = temporaryFolder();
  let server: FixtureServer;
  let token = '';
  beforeAll(async () => {
    server = await startFixtureServer(home);
    token = await addClient(home, 'clinger');
  });
  afterAll(() => server?.close());

  const SLOW = { name: 'fixture.wait', arguments: { ms: 50_000 } };

  /** Slow calls over every wire, begun; each settles with the error its client gets. */
  async function beginSlowCalls(): Promise<Promise<Error>[]> {
    const running = (): number => server.seen.filter(({ tool }) => tool === SLOW.name).length;
    const before = running();
    const url = server.url ?? '';
    const clients = [
      await connectHttp(url, token, 'modern'),
      await connectHttp(url, token, 'legacy'),
      await connectStdio(home, 'clinger', 'modern'),
      await connectStdio(home, 'clinger', 'legacy'),
    ];
    const calls = clients.map(async (client) => {
      try {
        return new Error(`answered: ${JSON.stringify(await client.callTool(SLOW))}`);
      } catch (error) {
        return error as Error;
      } finally {
        await client.close().catch(() => undefined);
      }
    });
    await until(() => running() === before + clients.length);
    return calls;
  }

  it('[HOST-25] end with the switch, and their callers hear why', async () => {
    const calls = await beginSlowCalls();
    await asOwner(home, 'set_mcp_enabled', { enabled: false });
    const answers = await Promise.all(calls);
    for (const answer of answers) expect(answer.message).toMatch(/switched off/);
    await asOwner(home, 'set_mcp_enabled', { enabled: true });
    const ended = await auditRecords(home, {
      tool_name: 'fixture.wait',
      status: 'error',
      subject_name: 'clinger',
    });
    expect(ended.map((record) => [record.phase, record.error_code])).toEqual(
      Array(4).fill(['finished', 'disabled']),
    );
  });

  it('[HOST-26] end when their tool is switched off, and others do not', async () => {
    const other = modernHttp(server.port, token).ask('tools/call', {
      name: 'fixture.large',
      arguments: { characters: 5, ms: 1_500 },
    });
    const calls = await beginSlowCalls();
    await asOwner(home, 'set_tool_enabled', { tool: 'fixture.wait', enabled: false });
    const answers = await Promise.all(calls);
    for (const answer of answers) expect(answer.message).toMatch(/taken away/);
    expect((await other).result?.structuredContent).toEqual({ text: 'xxxxx' });
    await asOwner(home, 'set_tool_enabled', { tool: 'fixture.wait', enabled: true });
  });
});
