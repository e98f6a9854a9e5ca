/** Backs the home up. */
import { resolve } from 'node:path';
import { defineCommand, textOf } from '../command.ts';

export const backup = defineCommand({
  path: ['backup'],
  summary: 'Copy everything into a new folder, also while the server runs',
  args: [{ name: 'folder', summary: 'Where to; it must not exist yet', choices: 'path' }],
  examples: ['backup ~/backups/sluice-today'],
  async run({ call, output }, input) {
    const answer = await call('home.backup', { path: resolve(textOf(input, 'folder') ?? '') });
    output.data(answer, () => `${answer.files} files, ${answer.bytes} bytes in ${answer.path}`);
    output.talk('The backup holds the keys of this home; keep it safe.');
  },
});
