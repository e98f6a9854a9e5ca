/** Words of the command line that somebody acts on: warnings, hints, versions, and what a terminal must not obey. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { oneDocument } from '../../support/cli-story.ts';
import { runSluice, SLUICE, sluiceJson, startServer } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const WRONG_INPUT = 2;
const home = temporaryFolder();

it('[PAGE-31] text that is not UTF-8 is refused with its file, and a byte order mark is kept', async () => {
  const file = join(temporaryFolder(), 'latin1.md');
  writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  const told = await runSluice(home, ['page', 'create', 'Latin', '--file', file, '--json']);
  expect(told.code).toBe(WRONG_INPUT);
  expect(oneDocument(told.stderr)).toMatchObject({
    error: { code: 'invalid_input', field: 'file', message: expect.stringContaining(file) },
  });
  const marked = join(temporaryFolder(), 'marked.md');
  writeFileSync(marked, '\ufeffText');
  await sluiceJson(home, 'page', 'create', 'Marked', '--file', marked);
  expect((await runSluice(home, ['page', 'read', 'marked'])).stdout).toBe('\ufeffText');
});

it('[HOST-53] a page is shown on a terminal without being obeyed, and piped byte for byte', async () => {
  const content = 'a\u001b]0;owned\u0007b\n';
  await sluiceJson(home, 'page', 'create', 'Escapes', '--content', content);
  expect((await runSluice(home, ['page', 'read', 'escapes'])).stdout).toBe(content);
  const command = `"${SLUICE}" page read escapes --home "${home}"`;
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null']);
  expect(stdout).toContain('a\\u001b]0;owned\\u0007b');
  expect(stdout).not.toContain('\u001b]0;owned');
});

it('[MCP-31] a port that is not taken is said, in words and as a field', async () => {
  const server = await startServer(temporaryFolder(), { port: 80 });
  await server.stop();
  expect(JSON.parse(server.output().split('\n')[0] ?? '')).toMatchObject({
    url: 'http://127.0.0.1:1024/mcp',
    asked_port: 80,
  });
});

it('[MCP-32] hints are about what to do next, and a wrong configuration is told in our words', async () => {
  const bad = temporaryFolder();
  writeFileSync(join(bad, 'config.json'), '{"server.prot": 1}');
  const unknown = await runSluice(bad, ['status']);
  expect([unknown.code, unknown.stderr]).toEqual([
    WRONG_INPUT,
    expect.stringMatching(/"server.prot".*server\.port/),
  ]);
  const wrong = await runSluice(home, ['status'], { env: { SLUICE_PORT: 'abc' } });
  expect([wrong.code, wrong.stderr]).toEqual([
    WRONG_INPUT,
    expect.stringMatching(/"server.port" \(from SLUICE_PORT\) must not be "abc"\. The port to listen on/),
  ]);
});

it('[MCP-32] names that fit nothing are taken with a warning', async () => {
  const off = await runSluice(home, ['disable', '--tool', 'no_such_tool']);
  expect([off.code, off.stderr]).toEqual([0, expect.stringContaining('no tool that fits "no_such_tool"')]);
  const deny = await sluiceJson(home, 'policy', 'deny', 'client:nobody', 'no_such_tool');
  expect(deny.warnings).toEqual([
    expect.stringContaining('no_such_tool'),
    expect.stringContaining('no client "nobody"'),
  ]);
  const known = await runSluice(home, ['disable', '--tool', 'delete_page']);
  expect(known).toMatchObject({ code: 0, stderr: '' });
});

it('[MCP-32] the version that an update builds on can be asked for', async () => {
  const { version } = await sluiceJson(home, 'page', 'create', 'Versioned', '--content', 'One.');
  const asked = await runSluice(home, ['page', 'read', 'versioned', '--version-only']);
  expect(asked.stdout).toBe(`${version}\n`);
  const base = asked.stdout.trim();
  const change = ['page', 'update', 'versioned', '--content', 'Two.', '--base-version', base];
  expect((await runSluice(home, change)).code).toBe(0);
});

it('[DUR-43] a restore says that tokens of the backup are valid again', async () => {
  const own = temporaryFolder();
  await sluiceJson(own, 'client', 'add', 'lost-laptop');
  const backup = join(temporaryFolder(), 'backup');
  await sluiceJson(own, 'backup', backup);
  await sluiceJson(own, 'client', 'revoke', 'lost-laptop');
  const told = await runSluice(own, ['restore', backup, '--yes']);
  expect(told).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/of 1 clients[\s\S]*client revoke[\s\S]*token rotate/),
  });
  expect(await sluiceJson(own, 'restore', backup, '--yes')).toMatchObject({ valid_clients: 1 });
});

it('[PIPE-31] tool call says which arguments were ignored, and carries out no dry run that was misspelt', async () => {
  const own = temporaryFolder();
  await sluiceJson(own, 'page', 'create', 'Alpha');
  const spelt = '{"page":"alpha","title":"Omega","dryRun":true}';
  const told = await runSluice(own, ['tool', 'call', 'rename_page', spelt]);
  expect([told.code, told.stderr.trim()]).toEqual([0, 'Note: "dryRun" was read as "dry_run".']);
  const list = JSON.stringify(await sluiceJson(own, 'tool', 'call', 'get_page_tree', '{}'));
  expect(list).toContain('Alpha');
  expect(list).not.toContain('_meta');
  const answer = await sluiceJson(own, 'tool', 'call', 'delete_page', '{"page":"alpha","dryrun":true}');
  expect(answer).toMatchObject({
    _meta: {
      'dev.sluice/arguments': {
        ignored: [{ argument: 'dryrun' }],
        note: expect.stringContaining('It has no dry run: this was the real thing.'),
      },
    },
  });
});

it('[CLI-16] what cannot be done as it was asked for is refused and not done in part', async () => {
  const none = await runSluice(home, ['timeline', '--limit', '0']);
  expect([none.code, none.stdout, none.stderr.trim()]).toEqual([
    WRONG_INPUT,
    '',
    'sluice: --limit must be at least 1',
  ]);
  const both = await runSluice(home, ['page', 'create', 'Both', '--template', 't', '--content', 'own']);
  expect([both.code, both.stderr.trim()]).toEqual([
    WRONG_INPUT,
    'sluice: "--template" gives the page its text; leave --content and --file out',
  ]);
});

it('[CLI-15] a refusal advises what can be typed', async () => {
  const own = temporaryFolder();
  await sluiceJson(own, 'page', 'create', 'Alpha', '--content', 'Text.');
  const unseen = await runSluice(own, ['page', 'update', 'alpha', '--content', 'Other.']);
  expect(unseen.stderr).toContain('give --base-version from "sluice page read --version-only"');
  const [first, second] = ['one', 'two'].map((text) => {
    const file = join(temporaryFolder(), 'a.txt');
    writeFileSync(file, text);
    return file;
  });
  await sluiceJson(own, 'page', 'attach', 'alpha', first ?? '');
  const taken = await runSluice(own, ['page', 'attach', 'alpha', second ?? '']);
  expect(taken.stderr).toContain('; --replace puts this one in its place');
});
