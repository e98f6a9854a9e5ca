/** `sluice mcp`: programs that start Sluice themselves, with and without a server, alone and together. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { auditRecords } from '../support/audit.ts';
import { FIXTURE_PROGRAM, startFixtureServer } from '../support/fixture-server.ts';
import { connectStdio, modernRequest } from '../support/mcp-clients.ts';
import { addClient, asOwner } from '../support/owner.ts';
import { freePort, type RunningServer, runSluice, sluiceJson, startServer } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/timing.ts';
import {
  initializeParams,
  namesIn,
  refusalOf,
  type StdioProcess,
  startStdio,
  structuredOf,
  type Wire,
} from '../support/wires.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function serve(home: string): Promise<RunningServer> {
  const server = await startServer(home);
  opened.push(() => server.stop());
  return server;
}

/** A program of the legacy era that has shaken hands. */
async function program(
  home: string,
  name: string,
  args: readonly string[] = [],
): Promise<StdioProcess & Pick<Wire, 'ask'>> {
  const started = startStdio(home, ['--client', name, ...args]);
  opened.push(() => started.close());
  started.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: initializeParams() });
  await started.answer('hello');
  started.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 0;
  const ask = async (method: string, params: Record<string, unknown> = {}) => {
    id += 1;
    started.send({ jsonrpc: '2.0', id, method, params });
    return started.answer(id);
  };
  return { ...started, ask };
}
const READ = { name: 'read_page', arguments: { page: 'kept' } };
const CALL = { name: 'get_my_scopes', arguments: {} };

describe('without a server', () => {
  it('[MCP-14] a program serves itself, in a home that it makes if there is none', async () => {
    const home = temporaryFolder();
    const client = await connectStdio(`${home}/new`, 'solo', 'modern');
    const made = await client.callTool({ name: 'create_page', arguments: { title: 'Alpha' } });
    expect(made.structuredContent).toMatchObject({
      slug: 'alpha',
      origin: 'agent-produced',
      lifecycle: 'candidate',
    });
    await client.close();
    expect((await sluiceJson<{ tree: unknown[] }>(`${home}/new`, 'page', 'tree')).tree).toHaveLength(1);
  });

  it('[MCP-14] a second one works through the first, and commands do too', async () => {
    const home = temporaryFolder();
    const first = await program(home, 'first');
    const second = await program(home, 'second');
    expect(structuredOf(await second.ask('tools/call', CALL))).toMatchObject({
      principal: { name: 'second' },
    });
    expect(structuredOf(await first.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'first' } });
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: true, url: null });
    const [one, two] = await Promise.all([
      first.ask('tools/call', { name: 'create_page', arguments: { title: 'One' } }),
      second.ask('tools/call', { name: 'create_page', arguments: { title: 'Two' } }),
    ]);
    expect([structuredOf(one).slug, structuredOf(two).slug]).toEqual(['one', 'two']);
  });

  it.each(['its client leaves', 'it is killed'])(
    '[MCP-15] when the first ends because %s, the second takes over',
    async (how) => {
      const home = temporaryFolder();
      const first = await program(home, 'first');
      const second = await program(home, 'second');
      const third = await program(home, 'third');
      await second.ask('tools/call', { name: 'create_page', arguments: { title: 'Kept' } });
      if (how === 'it is killed') first.child.kill('SIGKILL');
      else await first.close();
      await first.ended();
      for (const one of [second, third]) {
        // A question that was still on its way to the dead one is answered with an error, and can be asked again.
        let read = await one.ask('tools/call', READ);
        if (refusalOf(read).code === 'unavailable') read = await one.ask('tools/call', READ);
        expect(structuredOf(read).created_by).toBe('second');
      }
      expect(await sluiceJson(home, 'status')).toMatchObject({ running: true });
      const records = await auditRecords(home, { subject_name: 'second', tool_name: 'read_page' });
      expect(records).toHaveLength(1);
      // The handshake that is made again is the client's own business: it hears of it once.
      expect(second.received().filter(({ id }) => id === 'hello')).toHaveLength(1);
    },
  );

  it('[MCP-15] what was asked and lost is answered with an error that says so', async () => {
    const home = temporaryFolder();
    const port = await freePort();
    const holder = spawn(process.execPath, [FIXTURE_PROGRAM, home, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    opened.push(() => holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const one = await program(home, 'one');
    const lost = one.ask('tools/call', { name: 'fixture.wait', arguments: { ms: 50_000 } });
    await until(async () => (await auditRecords(home, { tool_name: 'fixture.wait' })).length === 1);
    holder.kill('SIGKILL');
    expect(refusalOf(await lost)).toMatchObject({ code: 'unavailable', retry: 'later' });
    expect(structuredOf(await one.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'one' } });
  });
});

describe('with a server', () => {
  it('[MCP-16] programs use it, each under its own name and right', async () => {
    const home = temporaryFolder();
    const server = await serve(home);
    await addClient(home, 'registered', { role: 'reviewer', scopes: ['workspace.read'] });
    const registered = await program(home, 'registered');
    const unknown = await program(home, 'never-heard-of');
    expect(structuredOf(await registered.ask('tools/call', CALL))).toMatchObject({
      role: 'reviewer',
      scopes: ['workspace.read'],
    });
    expect(structuredOf(await unknown.ask('tools/call', CALL))).toMatchObject({
      role: 'client',
      principal: { kind: 'client', id: 'client:never-heard-of' },
      writes: { origin: 'agent-produced', lifecycle: 'candidate' },
    });
    expect(await sluiceJson(home, 'status')).toMatchObject({ url: server.url });
    expect((await auditRecords(home, { surface: 'mcp-stdio' })).length).toBe(2);
  });

  it('[MCP-16] a client that was revoked or has a bad name is told so and gets nothing', async () => {
    const home = temporaryFolder();
    await serve(home);
    await addClient(home, 'former');
    await asOwner(home, 'client.revoke', { name: 'former' });
    const former = await runSluice(home, ['mcp', '--client', 'former']);
    expect([former.code, former.stdout, former.stderr]).toEqual([
      4,
      '',
      expect.stringMatching(/"former" was revoked/),
    ]);
    const bad = await runSluice(home, ['mcp', '--client', '../x']);
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    const names = await runSluice(home, ['mcp', '--names', 'dashed']);
    expect([names.code, names.stderr]).toEqual([2, expect.stringContaining('--names')]);
  });

  it('[MCP-16] a client that was never registered is taken away by registering and revoking its name', async () => {
    const home = temporaryFolder();
    await serve(home);
    const passing = await program(home, 'passing');
    expect(namesIn(await passing.ask('tools/list'))).toContain('search');
    expect(JSON.stringify(await asOwner(home, 'client.list'))).not.toContain('passing');
    await addClient(home, 'passing');
    expect(namesIn(await passing.ask('tools/list'))).toContain('search');
    await asOwner(home, 'client.revoke', { name: 'passing' });
    const refused = await passing.ask('tools/list').catch((error: unknown) => ({ error }));
    expect(refused.error).toBeDefined();
    expect((await runSluice(home, ['mcp', '--client', 'passing'])).code).toBe(4);
  });

  it('[MCP-16] --names underscore gives names without dots, and both forms can be called', async () => {
    const home = temporaryFolder();
    const server = await startFixtureServer(home);
    opened.push(() => server.close());
    const dotless = await program(home, 'dotless', ['--names', 'underscore']);
    const names = namesIn(await dotless.ask('tools/list'));
    expect(names).toContain('fixture_wait');
    expect(names.join()).not.toContain('.');
    for (const name of ['fixture_wait', 'fixture.wait'])
      expect(structuredOf(await dotless.ask('tools/call', { name, arguments: { ms: 1 } }))).toEqual({
        waited: 1,
      });
    await dotless.close();
  });

  it('[MCP-15] programs go on when it stops, and use it again when it comes back', async () => {
    const home = temporaryFolder();
    const first = await serve(home);
    const [one, two] = [await program(home, 'one'), await program(home, 'two')];
    await first.stop();
    expect(structuredOf(await one.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'one' } });
    expect(structuredOf(await two.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'two' } });
    expect(await sluiceJson(home, 'status')).toMatchObject({ running: true, url: null });
    const again = await serve(home);
    expect(await sluiceJson(home, 'status')).toMatchObject({ url: again.url });
    expect(structuredOf(await one.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'one' } });
    expect(structuredOf(await two.ask('tools/call', CALL))).toMatchObject({ principal: { name: 'two' } });
  });
});

describe('the stream', () => {
  it('[MCP-17] answers are delivered when input ends right after the question', async () => {
    const home = temporaryFolder();
    for (const withServer of [false, true]) {
      if (withServer) await serve(home);
      const lines = [
        modernRequest('tools/list', {}, 1).body,
        modernRequest('tools/call', { name: 'search', arguments: { query: 'x' } }, 2).body,
        modernRequest('tools/call', { name: 'nowhere' }, 3).body,
      ];
      const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const { code, stdout } = await runSluice(home, ['mcp', '--client', 'piped'], { input });
      const answers = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(code).toBe(0);
      expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    }
  });

  it('[MCP-17] nothing but messages goes to standard output, and nothing at all without input', async () => {
    const home = temporaryFolder();
    const silent = await runSluice(home, ['mcp'], { env: { SLUICE_LOG: 'debug' } });
    expect([silent.code, silent.stdout]).toEqual([0, '']);
  });

  it('[MCP-17] a line that is no message is answered, recorded and passed over', async () => {
    const home = temporaryFolder();
    await serve(home);
    const one = await program(home, 'sloppy');
    const lines: readonly [string, number][] = [
      ['not json', -32700],
      ['{"jsonrpc":"2.0"', -32700],
      ['{}', -32600],
      ['[]', -32600],
      ['5', -32600],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":77,"method":5}', -32600],
      [`"${'x'.repeat(9 * 1024 * 1024)}"`, -32600],
    ];
    for (const [line] of lines) one.send(line);
    one.send('');
    one.send('   ');
    expect((await one.ask('tools/list')).result).toBeDefined();
    const answered = one.received().filter(({ id }) => id === null);
    expect(answered.map(({ error }) => error?.code)).toEqual(lines.map(([, code]) => code));
    const records = await auditRecords(home, { subject_name: 'sloppy', kind: 'refused_request' });
    expect(records).toHaveLength(lines.length);
  });

  it('[MCP-17] a request that cannot be one ends no conversation', async () => {
    const home = temporaryFolder();
    await serve(home);
    const one = await program(home, 'odd');
    expect((await one.ask('no/such/method')).error?.code).toBe(-32601);
    expect((await one.ask('tools/call', { name: 5 })).error).toMatchObject({
      code: -32602,
      data: { field: 'name' },
    });
    one.send({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'create_page', arguments: { title: 'Ghost' } },
    });
    one.send({ jsonrpc: '2.0', id: 999, result: {} });
    expect((await one.ask('tools/list')).result).toBeDefined();
    const tree = structuredOf(await one.ask('tools/call', { name: 'get_page_tree', arguments: {} }));
    expect(tree.tree).toEqual([]);
  });

  it('[MCP-17] large messages pass in both directions', async () => {
    const home = temporaryFolder();
    await serve(home);
    const one = await program(home, 'large');
    const content = `# Large\n\n${'Ünïcode and some length. '.repeat(20_000)}\n`;
    const made = await one.ask('tools/call', { name: 'create_page', arguments: { title: 'Large', content } });
    expect(structuredOf(made).slug).toBe('large');
    const { result } = await one.ask('resources/read', { uri: 'sluice://workspace/page/large' });
    expect(result?.contents).toMatchObject([{ text: content }]);
  });
});
