/** Attaches a file to a page. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, flagOf, given, textOf } from '../../command.ts';

export const attach = defineCommand({
  path: ['page', 'attach'],
  summary: 'Put a file beside a page',
  args: [
    { name: 'page', summary: 'Its id, path or slug' },
    { name: 'file', summary: 'The file, up to 6 MiB', choices: 'path' },
  ],
  options: [
    { name: 'name', value: 'name', summary: 'What it is called; its own name if left out' },
    { name: 'media-type', value: 'type', summary: 'Such as image/png' },
    { name: 'replace', summary: 'Take the place of another file of that name' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page attach alpha plan.png --media-type image/png'],
  async run({ call, output }, input) {
    const file = textOf(input, 'file') ?? '';
    const wish = given({
      page: textOf(input, 'page'),
      name: textOf(input, 'name') ?? basename(file),
      bytes: (await bytesOf(file)).toString('base64'),
      media_type: textOf(input, 'media-type'),
      replace: flagOf(input, 'replace'),
    });
    const answer = await call('attach_file', wish, textOf(input, 'workspace'));
    output.data(answer, () => `${answer.path}  ${answer.link}`);
  },
});

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new SluiceError('invalid_input', `"${file}" cannot be read`, { field: 'file' }, error);
  }
}
