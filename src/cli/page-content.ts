/** Text for a page from an option, a file or standard input. */
import { readFileSync } from 'node:fs';
import { invalidInput, SluiceError } from '../kernel/errors.ts';
import { systemCode } from '../kernel/system-code.ts';
import { type CommandInput, type CommandOption, textOf } from './command.ts';

export const CONTENT_OPTIONS: readonly CommandOption[] = [
  { name: 'content', value: 'text', summary: 'The text itself' },
  { name: 'file', value: 'path', summary: 'Read the text from a file, or - for standard input' },
];

export function readContent(input: CommandInput): string | undefined {
  const file = textOf(input, 'file');
  if (file === undefined) return textOf(input, 'content');
  return decode(file, readBytes(file));
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const code = systemCode(error) ?? 'no file';
    throw new SluiceError(
      'invalid_input',
      `"--file" names "${file}", which cannot be read (${code})`,
      { field: 'file' },
      error,
    );
  }
}

/** Bytes that are no UTF-8 would come back as others, and a byte order mark would be lost: the first is refused, the second kept. */
function decode(file: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidInput('--file', `names "${file}", which is not text in UTF-8`);
  }
}
