/** Text for a page from an option, a file or standard input. */
import { readFileSync } from 'node:fs';
import { SluiceError } from '../kernel/errors.ts';
import { type CommandInput, type CommandOption, textOf } from './command.ts';

export const CONTENT_OPTIONS: readonly CommandOption[] = [
  { name: 'content', value: 'text', summary: 'The text itself' },
  { name: 'file', value: 'path', summary: 'Read the text from a file, or - for standard input' },
];

export function readContent(input: CommandInput): string | undefined {
  const file = textOf(input, 'file');
  if (file === undefined) return textOf(input, 'content');
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new SluiceError(
      'invalid_input',
      `"--file" names "${file}", which cannot be read`,
      { field: 'file' },
      error,
    );
  }
}
