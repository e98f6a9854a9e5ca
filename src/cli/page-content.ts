/** Text for a page from an option, a file or standard input. */
import { readFile } from 'node:fs/promises';
import { SluiceError } from '../kernel/errors.ts';
import { type CommandInput, type CommandOption, textOf } from './command.ts';
import { readStandardInput } from './standard-input.ts';
import { utf8Text } from './utf8-text.ts';

export const CONTENT_OPTIONS: readonly CommandOption[] = [
  { name: 'content', value: 'text', summary: 'The text itself' },
  {
    name: 'file',
    value: 'path',
    summary: 'Read the text from a file, or - for standard input',
    choices: 'path',
  },
];

export async function readContent(input: CommandInput): Promise<string | undefined> {
  const file = textOf(input, 'file');
  if (file === undefined) return textOf(input, 'content');
  if (file === '-') return readStandardInput();
  return utf8Text(await readBytes(file), `"${file}"`);
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new SluiceError(
      'invalid_input',
      `"--file" names "${file}", which cannot be read`,
      { field: 'file' },
      error,
    );
  }
}
