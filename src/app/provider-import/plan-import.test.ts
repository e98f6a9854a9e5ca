import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { times } from '../../../test/support/random.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { planImport } from './plan-import.ts';
import { readJsonc } from './read-jsonc.ts';
import { readToml } from './read-toml.ts';

const TOKEN = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');

function surroundings(files: Readonly<Record<string, string>>) {
  const userHome = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(userHome, path)), { recursive: true });
    writeFileSync(join(userHome, path), text);
  }
  return { userHome, folder: join(userHome, 'project'), platform: 'linux' as const };
}

const plan = (files: Readonly<Record<string, string>>, from?: string) =>
  planImport(surroundings(files), from);
const json = (servers: unknown, key = 'mcpServers'): string => JSON.stringify({ [key]: servers });
const simple = { command: 'npx', args: ['-y', 'a-server', '--dir', '/srv/my docs'] };

describe('servers of other programs', () => {
  it.each([
    ['claude-desktop', '.config/Claude/claude_desktop_config.json', json({ one: simple })],
    ['claude-code', '.claude.json', json({ one: simple })],
    ['claude-code', 'project/.mcp.json', json({ one: { type: 'stdio', ...simple } })],
    ['cursor', '.cursor/mcp.json', json({ one: simple })],
    [
      'vscode',
      '.config/Code/User/mcp.json',
      `{ // mine\n "servers": { "one": ${JSON.stringify(simple)}, }, /* , */ }`,
    ],
    ['vscode', '.config/Code/User/settings.json', JSON.stringify({ mcp: { servers: { one: simple } } })],
    ['vscode', 'project/.vscode/mcp.json', json({ one: simple }, 'servers')],
    ['gemini', '.gemini/settings.json', json({ one: simple })],
    ['windsurf', '.codeium/windsurf/mcp_config.json', json({ one: simple })],
    [
      'codex',
      '.codex/config.toml',
      `model = "o"\n[mcp_servers.one] # mine\ncommand = "npx"\nargs = [\n  "-y", 'a-server',\n  "--dir", "/srv/my docs",\n]\n`,
    ],
  ])('[IMPO-01] are found for %s in %s', (program, path, text) => {
    const found = { id: 'one', from: program, shown: "npx -y a-server --dir '/srv/my docs'", problems: [] };
    expect(plan({ [path]: text }).servers).toMatchObject([found]);
    expect(plan({ [path]: text }, program).servers).toMatchObject([found]);
    expect(plan({ [path]: text }, program === 'codex' ? 'cursor' : 'codex').servers).toEqual([]);
  });

  it('[IMPO-01] are found in each project of Claude Code, and in a file that is named', () => {
    const config = {
      mcpServers: { one: simple },
      projects: { '/projects/a': { mcpServers: { one: simple } } },
    };
    const found = plan({ '.claude.json': JSON.stringify(config) }, 'claude-code').servers;
    expect(found.map(({ id, scope }) => [id, scope])).toEqual([
      ['one', null],
      ['one_2', '/projects/a'],
    ]);
    expect(plan({ 'project/mine.json': json({ two: simple }) }, 'mine.json').servers).toMatchObject([
      { id: 'two', from: 'file' },
    ]);
    expect(plan({}, 'mine.json').unread).toMatchObject([{ problem: 'cannot be read (ENOENT)' }]);
  });

  it('[IMPO-01] may be at an address, by whatever name the program has for it', () => {
    const url = 'https://example.com/mcp';
    const servers = {
      a: { url },
      b: { httpUrl: url },
      c: { serverUrl: url, headers: { Authorization: TOKEN } },
    };
    const found = plan({ '.cursor/mcp.json': json(servers) }).servers;
    expect(found.map(({ target }) => target)).toEqual([{ url }, { url }, { url }]);
    expect(found[2]).toMatchObject({ headers: ['Authorization'], shown: url });
  });

  it('[IMPO-03] never show or take over a value that may be a secret', () => {
    const env = { GITHUB_TOKEN: TOKEN, PLAIN: 'value-of-plain' };
    const servers = {
      a: { ...simple, env },
      b: { command: 'x', args: ['--token', 'value-of-token'] },
      c: { command: 'x', args: [`--api-key=value-of-key`] },
      d: { command: 'x', args: [TOKEN] },
      e: { url: `https://example.com/mcp?key=value-of-query` },
      f: { url: 'https://me:value-of-user@example.com/mcp' },
    };
    const { servers: found } = plan({ '.cursor/mcp.json': json(servers) });
    expect(found[0]).toMatchObject({ environment: ['GITHUB_TOKEN', 'PLAIN'], problems: [] });
    expect(found.slice(1).map(({ target }) => target)).toEqual([null, null, null, null, null]);
    expect(JSON.stringify(found)).not.toMatch(/value-of|ghp_/);
  });

  it.each([
    ['a relative program', { command: './evil.sh' }, 'relative path'],
    ['a relative path to run', { command: 'node', args: ['./server.js'] }, 'relative path'],
    ['a placeholder', { command: 'npx', args: [`${'$'}{input:key}`] }, 'fill in'],
    ['a variable that loads code', { command: 'npx', env: { NODE_OPTIONS: '-r ./x' } }, 'decides what'],
    ['nothing to run', { args: [] }, 'no program'],
    ['arguments that are no texts', { command: 'x', args: [1] }, 'no list of texts'],
    ['plain http', { url: 'http://example.com/mcp' }, 'https://'],
    ['the older transport', { type: 'sse', url: 'https://example.com/sse' }, 'HTTP+SSE'],
    ['no entry at all', 5, 'is no object'],
    ['a folder that is no full path', { command: 'x', cwd: 'here' }, 'no full path'],
    ['an address that is no text', { url: 5 }, 'no text'],
  ])('[IMPO-04] say why they cannot be taken: %s', (_what, server, why) => {
    const { servers } = plan({ '.cursor/mcp.json': json({ bad: server, good: simple }) });
    expect(servers.map(({ id, target }) => [id, target === null])).toEqual([
      ['bad', true],
      ['good', false],
    ]);
    expect(servers[0]?.problems.join()).toContain(why);
    // Each is read after "it".
    for (const problem of servers[0]?.problems ?? [])
      expect(problem).toMatch(/^(?:is|has|gives|sets|names|speaks|cannot) /);
  });

  it('[IMPO-04] a file that cannot be read is named, without a piece of it, and the others are read', () => {
    const { servers, unread } = plan({
      '.cursor/mcp.json': `{ "mcpServers": { "a": { "env": { "X": ${TOKEN} } } } }`,
      '.codex/config.toml': `[mcp_servers.a]\ncommand = ${TOKEN}`,
      '.gemini/settings.json': json({ one: simple }),
    });
    expect(servers).toHaveLength(1);
    expect(unread).toHaveLength(2);
    expect(JSON.stringify(unread)).not.toContain('ghp_');
  });

  it('[IMPO-05] whatever a file holds, reading it ends and touches nothing else', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '=',
      ',',
      '\n',
      '//',
      '/*',
      '*/',
      '#',
      'a',
      '\\',
      '.',
      '__proto__',
      '1',
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        for (const read of [readToml, readJsonc]) {
          try {
            read(given);
          } catch (error) {
            expect(error).toBeInstanceOf(SyntaxError);
          }
        }
        expect(({} as { a?: unknown }).a).toBeUndefined();
      }),
      { numRuns: times(300, 20_000) },
    );
  });

  it('[IMPO-05] what is JSON stays what it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 2);
        expect(readJsonc(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: times(200, 5_000) },
    );
  });
});
