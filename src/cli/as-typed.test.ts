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

it('[CLI-15] a word that only reads like one stays as it is', () => {
  const named = new SluiceError('not_found', 'There is no page "run"', { field: 'run' });
  expect(asTyped(command, named)).toBe('There is no page "run"');
});
