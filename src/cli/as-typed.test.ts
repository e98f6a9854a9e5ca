import { expect, it } from 'vitest';
import { invalidInput, SluiceError } from '../kernel/errors.ts';
import { asTyped } from './as-typed.ts';
import { defineCommand } from './command.ts';

const command = defineCommand({
  path: ['page', 'edit'],
  summary: '',
  args: [{ name: 'page', summary: '' }],
  options: ['op', 'kind', 'as-of', 'run'].map((name) => ({ name, value: 'x', summary: '' })),
  examples: ['page edit x'],
  run: async () => undefined,
});

it.each([
  ['page', '<page> is wrong'],
  ['as_of', '--as-of is wrong'],
  ['kinds.0', '--kind is wrong'],
  ['edits.0.op', '--op is wrong'],
  ['cursor', '"cursor" is wrong'],
])('[CLI-15] "%s" is called what was typed', (field, wanted) => {
  expect(asTyped(command, invalidInput(field, 'is wrong'))).toBe(wanted);
});

const accept = defineCommand({
  ...command,
  path: ['review', 'accept'],
  options: ['despite-changes', 'version', 'replace', 'base-version'].map((name) => ({ name, summary: '' })),
});

it.each([
  ['"T" was changed; "despite_changes" removes it', '"T" was changed; --despite-changes removes it'],
  [
    'ann has changed "T" since you looked at it; look again with read_proposal, or give the "version" that you accept',
    'ann has changed "T" since you looked at it; look again with "sluice review show", or give the --version that you accept',
  ],
  [
    '"A; b" may say more; give "base_version" from read_page',
    '"A; b" may say more; give --base-version from "sluice page read --version-only"',
  ],
  ['There is another file "a.txt"; "replace" does it', 'There is another file "a.txt"; --replace does it'],
])('[CLI-15] advice is in words that can be typed: %s', (message, wanted) => {
  expect(asTyped(accept, new SluiceError('conflict', message))).toBe(wanted);
});

it.each(['There is no page "a; read_page"', 'There is no page "replace"', 'It is; "unlikely" is no option'])(
  '[CLI-15] what others wrote is no advice: %s',
  (message) => expect(asTyped(accept, new SluiceError('conflict', message))).toBe(message),
);

it('[CLI-15] who calls a tool by its name reads its words', () => {
  const said = 'Changed; "replace" does it, or read_page';
  const call = defineCommand({ ...accept, path: ['tool', 'call'] });
  expect(asTyped(call, new SluiceError('conflict', said))).toBe(said);
});

it('[CLI-15] a word that only reads like one stays as it is', () => {
  const named = new SluiceError('not_found', 'There is no page "run"', { field: 'run' });
  expect(asTyped(command, named)).toBe('There is no page "run"');
});
