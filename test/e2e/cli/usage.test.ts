/** What the command line says of itself, and to whoever uses it wrongly. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { COMMON_OPTIONS } from '../../../src/cli/command.ts';
import { commands } from '../../../src/cli/command-list.ts';
import { oneDocument } from '../../support/cli-story.ts';
import { runSluice, SLUICE } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
const elsewhere = temporaryFolder();

it.each(commands.map((command) => [command.path.join(' '), command] as const))(
  '[CLI-03] the help of %s names all it takes and gives examples',
  async (_, command) => {
    const { code, stdout, stderr } = await runSluice(home, [...command.path, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain(command.summary);
    for (const { name } of command.args ?? []) expect(words).toContain(name);
    for (const { name } of [...(command.options ?? []), ...COMMON_OPTIONS])
      expect(words).toContain(`--${name}`);
    for (const example of command.examples) expect(stdout).toContain(`\n  sluice ${example}`);
  },
);

it('[CLI-03] without a command the help lists all of them, and a group alone its own', async () => {
  const { code, stdout } = await runSluice(home, []);
  expect(code).toBe(0);
  for (const word of new Set(commands.map(({ path }) => path[0])))
    expect(stdout, `${word} says what it is for`).toMatch(new RegExp(`^  ${word}\\b.* {2,}[A-Z]`, 'm'));
  const group = await runSluice(home, ['page']);
  expect([group.code, group.stdout, group.stderr]).toEqual([2, '', expect.stringMatching(/^ {2}create /m)]);
});

it.each([
  ['an unknown command', ['nothing']],
  ['an unknown verb', ['page', 'burn']],
  ['an unknown option', ['status', '--bogus']],
  ['a missing argument', ['page', 'read']],
  ['too many arguments', ['status', 'now']],
  ['an option without its value', ['search', 'x', '--limit']],
  ['an empty home', ['status', '--home', '']],
])('[CLI-04] %s ends with 2 and says what is wrong', async (_, args) => {
  const words = await runSluice(home, args);
  expect([words.code, words.stdout, words.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^(error|sluice): \S/),
  ]);
  const [command = '', ...rest] = args;
  const ended = await runSluice(home, [command, '--json', ...rest]);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(oneDocument(ended.stderr)).toMatchObject({ error: { code: 'invalid_input', retry: 'changed' } });
});

it('[CLI-07] who reads no more than the beginning breaks nothing', async () => {
  const shell = promisify(execFile);
  const line = `"${SLUICE}" audit export --home "${home}" 2>"${home}/said" | head -c 10 >/dev/null; cat "${home}/said"`;
  const { stdout } = await shell('bash', ['-c', line]);
  expect(stdout).toMatch(/^\d+ lines\n$/);
});

it('[CLI-07] what others wrote is shown, not obeyed', async () => {
  await runSluice(home, ['page', 'create', 'Red', '--content', 'A zebra in \u001b[31m red \u202e.']);
  const { stdout } = await runSluice(home, ['search', 'zebra']);
  expect(stdout).toContain('\\u001b[31m red \\u202e');
});

it('[CLI-08] a Node.js that is too old is refused with the fix, before anything else', async () => {
  const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.1.0'}})`;
  const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) =>
    execFile(process.execPath, ['--import', pretend, SLUICE, 'doctor'], (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    ),
  );
  expect(ended).toEqual({
    code: 1,
    stderr: expect.stringMatching(/Node\.js 24\.\d+\.\d+ or newer is needed, this is 22\.1\.0\. .*"npm ci"/),
  });
});

it('[CLI-14] options belong to the command they are written after, also where that is below another one', async () => {
  const { code, stdout } = await runSluice('/dev/null/nowhere', [
    'search',
    'status',
    '--home',
    elsewhere,
    '--json',
  ]);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ pages: 0 })]);
});
