/** What a person reads who adds servers, decides about them and gets something wrong. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WITH_SEND } from '../../support/approvals.ts';
import { type RunningServer, runSluice, sluiceJson, startServer } from '../../support/process.ts';
import { scriptedUpstream } from '../../support/scripted-upstream.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const WRONG_INPUT = 2;
let server: RunningServer;
let command: readonly string[];
beforeAll(async () => {
  server = await startServer(home);
  const { target } = await scriptedUpstream(home, 'stdio', WITH_SEND);
  command = 'command' in target ? target.command : [];
  await sluiceJson(home, 'provider', 'add', 'up', '--json', '--stdio', '--', ...command);
  await sluiceJson(home, 'provider', 'review', 'up', '--admit-all', '--reason', 'a test');
});
afterAll(() => server?.stop());

const run = (...args: string[]) => runSluice(home, args);
const refused = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([WRONG_INPUT, '']);
  return stderr;
};

describe('[PROC-06] a program that cannot be connected to', () => {
  // The credential is put together there, because one among the words would not be taken.
  const script = `console.error("no \\x1b[31mconfig, key ghp_" + "a1B2".repeat(9)); process.exit(3)`;

  it('is added with what it said, masked and harmless, and its words can be asked for later', async () => {
    const added = await run('provider', 'add', 'crash', '--stdio', '--', process.execPath, '-e', script);
    expect(added.code).toBe(0);
    expect(added.stdout).toMatch(/Its program said:\n {2}no .*config, key \[github-token removed\]/);
    expect(added.stderr).toContain('sluice provider discover crash');
    const logs = await run('provider', 'logs', 'crash');
    expect(logs.stdout).toContain('config, key [github-token removed]');
    expect(added.stdout + logs.stdout).not.toMatch(new RegExp(`\u001b|${TOKEN}`));
  });

  it('is shown with its words also when it has ended since', async () => {
    expect((await run('provider', 'logs', 'up')).stdout).toBe(
      'It has said nothing since Sluice was started\n',
    );
    const words = ['sh', '-c', 'echo "begins now" >&2; exec "$@"', 'sh', ...command];
    await sluiceJson(home, 'provider', 'add', 'loud', '--json', '--stdio', '--', ...words);
    await sluiceJson(home, 'provider', 'review', 'loud', '--admit', 'echo', '--reason', 'a test');
    await sluiceJson(home, 'tool', 'call', 'loud.echo');
    const { processes } = await sluiceJson<{ processes: number[] }>(home, 'provider', 'inspect', 'loud');
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    expect((await run('provider', 'logs', 'loud')).stdout).toBe('begins now\n\n');
  });
});

it('[CUST-15] a credential among the words of a program is refused and not repeated', async () => {
  const words = ['--', process.execPath, 'x.js', '--token', TOKEN];
  const told = await refused('provider', 'add', 'tok', '--stdio', ...words);
  expect(told).toContain('sluice credential set connector://tok');
  expect(told).not.toContain(TOKEN);
  const variable = await refused('provider', 'add', 'tok', '--env', `KEY=${TOKEN}`, '--stdio', '--', 'x');
  expect(variable).toContain('sluice credential set connector://ID/KEY');
  expect(variable).not.toContain(TOKEN);
  expect((await run('provider', 'inspect', 'tok')).code).toBe(3);
});

describe('[CLI-15] what is wrong', () => {
  it.each([
    ['provider', 'quarantine', 'up'],
    ['provider', 'release', 'up'],
    ['provider', 'review', 'up', '--admit', 'echo'],
  ])('names the option for the reason: %s %s', async (...args) => {
    expect(await refused(...args)).toContain('"--reason" must be given');
  });

  it('is a place without cases, or no rules at all, not a crash', async () => {
    expect(await refused('firewall', 'test', '/no/such')).toContain('<path> cannot be read: "/no/such"');
    expect(await refused('firewall', 'rules', 'use')).toContain('--built-in must be given');
  });

  it('is a provider in another state, with the command that helps', async () => {
    await run('provider', 'quarantine', 'up', '--reason', 'a test');
    const { code, stderr } = await run('provider', 'enable', 'up');
    expect([code, stderr]).toEqual([5, expect.stringContaining('sluice provider release up')]);
    await run('provider', 'release', 'up', '--reason', 'a test');
  });
});

it('[CLI-15] what waits and what became of it is said in words', async () => {
  expect((await run('approval', 'list')).stdout).toBe('Nothing waits\n');
  const ids: string[] = [];
  for (const to of ['ann', 'bob']) {
    const { stderr } = await run('tool', 'call', 'up.send', JSON.stringify({ to }), '--json');
    ids.push((JSON.parse(stderr) as { error: { approval: string } }).error.approval);
  }
  const [ann = '', bob = ''] = ids;
  expect((await run('approval', 'show', ann)).stdout).toMatch(/\n\nCalled with:\n\n\{"to":"ann"\}\n$/);
  expect((await run('approval', 'decide', ann, '--approve')).stdout).toBe(
    'up.send is called when owner makes the same call again\n',
  );
  expect((await run('approval', 'decide', bob, '--reject')).stdout).toBe('up.send is not called\n');
  expect((await run('approval', 'policy')).stdout).toMatch(/^local-effects +off\nmixed-runs +on\n/);
});
