/** Tries to sign as the owner or as Sluice itself, by taking the name. */
import { expect, it } from 'vitest';
import { runSluice } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WRONG_INPUT = 2;
const home = temporaryFolder();

it.each(['owner', 'Owner', 'system', 'SLUICE'])('[HOST-51] no client is called %s', async (name) => {
  for (const command of [
    ['client', 'add', name],
    ['mcp', '--client', name],
  ]) {
    const ended = await runSluice(home, command);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([
      WRONG_INPUT,
      '',
      expect.stringContaining(`must not be "${name}"`),
    ]);
  }
});

it('[HOST-51] names that only contain one of these are free', async () => {
  expect((await runSluice(home, ['client', 'add', 'owners-laptop'])).code).toBe(0);
});
