/** Tries the owner's own door: the files of the home and the socket in it. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeLayout } from '../../src/drivers/home/home-layout.ts';
import { asOwner } from '../support/owner.ts';
import { type RunningServer, runSluice, SLUICE, sluiceJson, startServer } from '../support/process.ts';
import { skipUnless } from '../support/skip.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startStdio } from '../support/wires.ts';

const NOBODY = 65534;
const folder = temporaryFolder();
const home = join(folder, 'home');
let server: RunningServer;

beforeAll(async () => {
  // Readable for others up to the home itself, so that only the home's own modes stand in their way.
  chmodSync(folder, 0o755);
  server = await startServer(home);
  await sluiceJson(home, 'page', 'create', 'Alpha');
  await sluiceJson(home, 'backup', join(folder, 'backup'));
});
afterAll(() => server?.stop());

function everythingBelow(root: string): string[] {
  const below = readdirSync(root, { recursive: true, withFileTypes: true });
  return [root, ...below.map((entry) => join(entry.parentPath, entry.name))];
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('the files', () => {
  it('[HOST-41] of a home are its owner’s alone, every one of them', () => {
    for (const path of everythingBelow(home)) {
      const wanted = statSync(path).isDirectory() ? '700' : '600';
      expect(`${path} ${modeOf(path)}`).toBe(`${path} ${wanted}`);
    }
    expect(statSync(homeLayout(home).socket).isSocket()).toBe(true);
  });

  it('[HOST-41] of a backup, an export and a restored home as well', async () => {
    await sluiceJson(home, 'audit', 'verify');
    expect((await runSluice(home, ['audit', 'export', '--out', join(folder, 'export.ndjson')])).code).toBe(0);
    expect(modeOf(join(folder, 'export.ndjson'))).toBe('600');
    const restored = join(folder, 'restored');
    expect((await runSluice(restored, ['restore', join(folder, 'backup'), '--yes'])).code).toBe(0);
    expect((await runSluice(restored, ['status'])).code).toBe(0);
    for (const path of [...everythingBelow(join(folder, 'backup')), ...everythingBelow(restored)]) {
      const wanted = statSync(path).isDirectory() ? '700' : '600';
      expect(`${path} ${modeOf(path)}`).toBe(`${path} ${wanted}`);
    }
  });

  it('[HOST-41] are made private again when somebody opened them', async () => {
    const other = join(folder, 'opened');
    await sluiceJson(other, 'status');
    chmodSync(other, 0o755);
    chmodSync(homeLayout(other).data, 0o777);
    await sluiceJson(other, 'status');
    expect([modeOf(other), modeOf(homeLayout(other).data)]).toEqual(['700', '700']);
  });
});

describe('another user of the machine', () => {
  skipUnless(process.getuid?.() === 0, 'only root can become somebody else');

  const asNobody = (script: string): string => {
    const run = spawnSync(process.execPath, ['-e', script], {
      uid: NOBODY,
      gid: NOBODY,
      encoding: 'utf8',
      env: {},
    });
    return run.stdout + run.stderr;
  };

  it('[HOST-42] cannot open the socket', () => {
    const path = JSON.stringify(homeLayout(home).socket);
    const said = asNobody(
      `require('node:net').connect(${path}).on('error', (e) => console.log(e.code)).on('connect', () => console.log('IN'))`,
    );
    expect(said.trim()).toMatch(/EACCES|ENOENT/);
  });

  it('[HOST-42] can read no file of the home', () => {
    for (const path of [
      homeLayout(home).database,
      join(homeLayout(home).keys, 'master.key'),
      homeLayout(home).running,
    ]) {
      const said = asNobody(`require('node:fs').readFileSync(${JSON.stringify(path)})`);
      expect(said).toMatch(/EACCES/);
    }
  });

  it('[HOST-42] still needs a token at the HTTP port', () => {
    const said = asNobody(
      `fetch('http://127.0.0.1:${server.port}/mcp', {method:'POST',body:'{}'}).then((r) => console.log(r.status))`,
    );
    expect(said.trim()).toBe('401');
  });

  it('[HOST-42] gets no home that belongs to somebody else to work with', () => {
    const run = spawnSync(process.execPath, [SLUICE, 'status', '--home', home], {
      uid: NOBODY,
      gid: NOBODY,
      encoding: 'utf8',
      env: {},
    });
    expect(run.status).not.toBe(0);
    expect(run.stdout).toBe('');
  });
});

describe('the socket', () => {
  function knock(): Promise<{ socket: Socket; said: () => string; closed: Promise<void> }> {
    return new Promise((resolve, reject) => {
      const socket = createConnection(homeLayout(home).socket);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const closed = new Promise<void>((done) => socket.once('close', () => done()));
      socket.once('connect', () => resolve({ socket, said: () => text, closed }));
      socket.on('error', reject);
    });
  }

  it.each([
    ['nothing', ''],
    ['an empty line', '\n'],
    ['no JSON', 'hello\n'],
    ['HTTP', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['null', 'null\n'],
    ['a list', '[]\n'],
    ['an unknown mode', '{"mode":"root"}\n'],
    ['a mode of its prototype', '{"__proto__":{"mode":"calls"}}\n'],
    ['MCP without a client', '{"mode":"mcp"}\n'],
    ['MCP for a client of no name', '{"mode":"mcp","client":"../../x"}\n'],
    ['MCP for a name of control characters', '{"mode":"mcp","client":"a\\u0000b"}\n'],
    ['bytes', '\u0000\u0001\u0002\n'],
  ])('[HOST-43] answers %s with an error and closes', async (_title, line) => {
    const { socket, said, closed } = await knock();
    socket.end(line);
    await closed;
    if (said() !== '')
      expect(JSON.parse(said())).toMatchObject({ ok: false, error: { code: expect.any(String) } });
    expect(said()).not.toContain('"ok":true');
    expect(await asOwner(home, 'get_mcp_status')).toMatchObject({ running: true });
  });

  it.each([
    ['no JSON', 'hello\n'],
    ['no call', '{}\n'],
    ['a call without an id', '{"tool":"search","input":{}}\n'],
    ['a call with a wrong id', '{"id":"1","tool":"search","input":{}}\n'],
    ['a call whose input is a list', '{"id":1,"tool":"search","input":[]}\n'],
  ])('[HOST-43] closes on %s after the greeting', async (_title, line) => {
    const { socket, said, closed } = await knock();
    socket.write(`{"mode":"calls"}\n${line}`);
    await closed;
    expect(said().split('\n')[0]).toBe('{"ok":true}');
    expect(said()).not.toContain('"result"');
  });

  it('[HOST-43] answers calls with what is wrong with them, and many at once in any order', async () => {
    const { socket, said } = await knock();
    const calls = [
      { id: 1, tool: 'nowhere', input: {} },
      { id: 2, tool: 'search', input: { query: 5 } },
      { id: 3, tool: 'get_workspace', input: {}, workspace: 'nowhere' },
      { id: 4, tool: 'get_workspace', input: {} },
    ];
    socket.write(`{"mode":"calls"}\n${calls.map((call) => `${JSON.stringify(call)}\n`).join('')}`);
    while (said().split('\n').length < 6) await new Promise((resolve) => setTimeout(resolve, 10));
    const answers = new Map(
      said()
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => [JSON.parse(line).id, JSON.parse(line)]),
    );
    expect([1, 2, 3].map((id) => answers.get(id).error.code)).toEqual([
      'unknown_tool',
      'invalid_input',
      'no_workspace',
    ]);
    expect(answers.get(4).result.name).toBe('default');
    socket.destroy();
  });

  it('[HOST-43] cuts a line without an end, and others do not wait for it', async () => {
    const { socket, said, closed } = await knock();
    const piece = 'x'.repeat(1024 * 1024);
    socket.on('error', () => undefined);
    const feed = async (): Promise<void> => {
      for (let i = 0; i < 40 && socket.writable; i += 1) {
        if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
      }
    };
    const feeding = feed();
    const begun = performance.now();
    expect(await asOwner(home, 'get_mcp_status')).toMatchObject({ running: true });
    expect(performance.now() - begun).toBeLessThan(3_000);
    await feeding;
    await closed;
    expect(said()).toContain('payload_too_large');
  });

  it('[HOST-52] says that a call is too large before it closes, also to one that does not look first', async () => {
    const { socket, said, closed } = await knock();
    socket.write('{"mode":"calls"}\n');
    await expect.poll(said).toContain('"ok":true');
    const large = JSON.stringify({ id: 1, tool: 'create_page', input: { content: 'x'.repeat(40 << 20) } });
    socket.end(`${large}\n`);
    await closed;
    expect(said()).toContain('"code":"payload_too_large"');
    const call = asOwner(home, 'create_page', { title: 'Large', content: 'x'.repeat(40 << 20) });
    await expect(call).rejects.toMatchObject({ code: 'payload_too_large' });
  });

  it('[HOST-43] lets nobody be the owner who says over MCP that he is', async () => {
    for (const name of ['the-owner', 'root', 'local', 'admin']) {
      const program = startStdio(home, ['--client', name]);
      program.send({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'get_mcp_token',
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      });
      expect((await program.answer(1)).error?.data?.code).toBe('unknown_tool');
      await program.close();
    }
  });
});

it('[HOST-41] a socket file that somebody left behind is replaced', async () => {
  const other = join(folder, 'stale');
  await sluiceJson(other, 'status');
  writeFileSync(homeLayout(other).socket, 'not a socket');
  const started = await startServer(other);
  expect(await asOwner(other, 'get_mcp_status')).toMatchObject({ running: true });
  await started.stop();
});
