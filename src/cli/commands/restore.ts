/** Puts a backup in the home's place. */
import { resolve } from 'node:path';
import { invalidInput } from '../../kernel/errors.ts';
import { defineCommand, flagOf, textOf } from '../command.ts';

export const restore = defineCommand({
  path: ['restore'],
  summary: "Put a backup in the home's place; what was there is kept beside it",
  args: [{ name: 'folder', summary: 'A folder that "sluice backup" wrote', choices: 'path' }],
  options: [{ name: 'yes', summary: 'Do it; without this only the backup is checked' }],
  examples: ['restore ~/backups/sluice-today', 'restore ~/backups/sluice-today --yes'],
  async run({ home, output }, input) {
    const folder = textOf(input, 'folder');
    if (folder === undefined) throw invalidInput('folder', 'is required');
    const { restoreHome } = await import('../../app/restore-home.ts');
    const done = await restoreHome(home, resolve(folder), flagOf(input, 'yes'));
    output.data(done, () =>
      done.restored
        ? `Restored the backup of ${done.created_at}${done.former ? `; the former data is in ${done.former}` : ''}\n${tokensAgain(done.valid_clients ?? 0)}`
        : `The backup of ${done.created_at} is whole (${done.files} files); add --yes to put it in place of ${home}`,
    );
  },
});

/** Whoever revoked a token since the backup must hear that it opens the door again. */
const tokensAgain = (clients: number): string =>
  `Tokens are those of the backup, also ones revoked or replaced since: the owner's and those of ${clients} clients.\n` +
  '"sluice client list" shows them, "sluice client revoke NAME" and "sluice token rotate" make them void.';
