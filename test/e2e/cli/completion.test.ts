/** Completion in the real shells. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/command-list.ts';
import { runSluice } from '../../support/process.ts';
import { skipUnless } from '../../support/skip.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** What is offered for the last of these words. */
const CASES: readonly [words: readonly string[], offered: readonly string[], not: readonly string[]][] = [
  [[''], ['serve', 'page', 'audit', 'completion'], ['create']],
  [['pa'], ['page'], ['serve']],
  [['page', ''], ['create', 'read'], ['serve']],
  [['page', 'create', '--'], ['--content', '--home', '--json', '--help'], ['--depth']],
  [['page', 'create', 'Title', '--'], ['--content'], []],
  [['mcp', '--names', ''], ['dotted', 'underscore'], ['--client']],
  [['connect', 'cl'], ['claude-code', 'claude-desktop'], ['cursor']],
  [['page', 'create', '--parent', ''], [], ['create', '--content']],
];

const folder = temporaryFolder();
const script = (shell: string): string => join(folder, `sluice.${shell}`);
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(script(shell), (await runSluice(folder, ['completion', shell])).stdout);
});

function check(complete: (words: readonly string[]) => string): void {
  for (const [words, offered, not] of CASES) {
    const found = complete(words).split('\n');
    expect(found, words.join(' ')).toEqual(expect.arrayContaining([...offered]));
    for (const word of not) expect(found, words.join(' ')).not.toContain(word);
  }
}

describe('in bash', () => {
  skipUnless(has('bash'), 'bash is not installed');

  const complete = (words: readonly string[]): string =>
    execFileSync(
      'bash',
      [
        '-c',
        `source "$1"; shift; COMP_WORDS=(sluice "$@"); COMP_CWORD=$#; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        script('bash'),
        ...words,
      ],
      { encoding: 'utf8' },
    );

  it('[CLI-09] offers what may come next, values of options and nothing else', () => check(complete));

  it('[CLI-09] offers every command and every option', () => {
    for (const { path, options = [] } of commands) {
      expect(complete([...path.slice(0, -1), '']).split('\n')).toContain(path.at(-1));
      const offered = complete([...path, '--']).split('\n');
      for (const { name } of options) expect(offered, path.join(' ')).toContain(`--${name}`);
    }
  });

  it('[CLI-09] offers files where a path is wanted, also with spaces in their names', () => {
    writeFileSync(join(folder, 'two words.md'), '');
    expect(complete(['page', 'create', 'x', '--file', join(folder, 'two')])).toBe(
      `${join(folder, 'two words.md')}\n`,
    );
  });
});

describe('in zsh', () => {
  skipUnless(has('zsh'), 'zsh is not installed');

  it('[CLI-09] is a script that zsh takes', () => {
    expect(spawnSync('zsh', ['-n', script('zsh')]).status).toBe(0);
  });
});

describe('in fish', () => {
  skipUnless(has('fish'), 'fish is not installed');

  it('[CLI-09] offers what may come next, values of options and nothing else', () =>
    check((words) =>
      execFileSync(
        'fish',
        ['-c', `source ${script('fish')}; complete -C '${['sluice', ...words].join(' ')}'`],
        {
          encoding: 'utf8',
        },
      ).replace(/\t.*/g, ''),
    ));
});
