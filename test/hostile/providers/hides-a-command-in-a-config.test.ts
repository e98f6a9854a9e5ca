/** A configuration made by somebody else: its commands, addresses and variables must do nothing by being read. */
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOwner } from '../../support/owner.ts';
import { type RunningServer, runSluice, startServer } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Imported {
  readonly servers: readonly {
    readonly id: string;
    readonly shown: string;
    readonly state: string | null;
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
  }[];
}

const home = temporaryFolder();
const userHome = temporaryFolder();
const mark = join(userHome, 'was-here');
const dialled: string[] = [];
const trap = createServer((request, response) => {
  dialled.push(String(request.url));
  response.end();
});
let server: RunningServer;

beforeAll(async () => {
  trap.listen(0, '127.0.0.1');
  await once(trap, 'listening');
  server = await startServer(home);
  const { port } = trap.address() as AddressInfo;
  const touch = ['-e', `require('fs').writeFileSync(${JSON.stringify(mark)}, '')`];
  const mcpServers = {
    // Programs.
    program: { command: process.execPath, args: touch },
    shell: { command: 'sh', args: ['-c', `touch ${mark}`] },
    'one line': { command: 'id; touch was-here', args: [`\`touch ${mark}\``, `; touch ${mark}`, '&& true'] },
    filled: { command: 'node', args: [`$(touch ${mark})`] },
    relative: { command: '../../bin/evil', args: [] },
    loads: { command: process.execPath, args: ['-v'], env: { NODE_OPTIONS: `--require ${mark}.js` } },
    path: { command: 'node', args: ['-v'], env: { PATH: userHome, LD_PRELOAD: mark } },
    hides: { command: 'node', args: ['\u001b[2K\u001b[1A', 'safe\u202Egnp.exe', 'a\nb'] },
    provider: { command: 'node', args: ['-v'] },
    'policy.rule.add': { command: 'node', args: ['-v'] },
    // Addresses.
    address: { url: `http://127.0.0.1:${port}/mcp` },
    inside: { url: 'http://169.254.169.254/latest/meta-data' },
    filed: { url: 'file:///etc/passwd' },
    scripted: { url: 'javascript:alert(1)' },
  };
  mkdirSync(join(userHome, '.cursor'));
  writeFileSync(join(userHome, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }));
});
afterAll(async () => {
  await server?.stop();
  trap.close();
});

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runSluice(home, ['provider', 'import', ...args], {
    env: { HOME: userHome },
  });
  expect(code, stderr).toBe(0);
  return stdout;
};

describe('[UPD-06] a configuration of another program', () => {
  it('shows what it would run, and does nothing', async () => {
    const shown = await run('--from', 'cursor');
    expect(shown).toContain(`sh -c 'touch ${mark}'`);
    expect(shown).toContain('runs a shell');
    // Nothing a terminal would act upon, and nothing that is read otherwise than it stands there.
    expect(shown).not.toMatch(/\p{Cf}|\p{Cc}(?<!\n)/u);
    expect(await asOwner(home, 'provider.list')).toEqual({ providers: [] });
  });

  it('[IMPO-02] registers what can be and runs or dials none of it', async () => {
    const { servers } = JSON.parse(await run('--from', 'cursor', '--apply', '--json')) as Imported;
    const states = Object.fromEntries(servers.map(({ id, state }) => [id, state]));
    expect(states).toEqual({
      program: 'REGISTERED',
      shell: 'REGISTERED',
      one_line: 'REGISTERED',
      hides: 'REGISTERED',
      address: 'REGISTERED',
      relative: null,
      filled: null,
      loads: null,
      path: null,
      provider: null,
      policy_rule_add: expect.anything(),
      inside: null,
      filed: null,
      scripted: null,
    });
    // Shown as what it is, also to whoever reads it as JSON.
    const { shown = '' } = servers.find(({ id }) => id === 'hides') ?? {};
    expect(shown).toBe("node '\\u{1b}[2K\\u{1b}[1A' 'safe\\u{202e}gnp.exe' 'a\\u{a}b'");
    for (const { state, problems } of servers) expect(problems.length > 0).toBe(state === null);
    // Time for whatever it might have started.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([existsSync(mark), dialled]).toEqual([false, []]);
    const { providers } = await asOwner<{ providers: { id: string; state: string }[] }>(
      home,
      'provider.list',
    );
    expect(new Set(providers.map(({ state }) => state))).toEqual(new Set(['REGISTERED']));
  });

  it('gives callers nothing, and its words to no shell once it is discovered', async () => {
    await expect(
      asOwner(home, 'provider.review', { id: 'shell', admit_all: true, reason: 'x' }),
    ).rejects.toThrow('not discovered');
    const found = await asOwner(home, 'provider.discover', { id: 'one_line' });
    // One word, and there is no program of that name.
    expect(found).toMatchObject({ state: 'REGISTERED', reason_code: 'discovery_failed' });
    expect(existsSync(mark)).toBe(false);
  });
});
