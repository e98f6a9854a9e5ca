/** Takes pages out of the trash for good. */
import { invalidInput } from '../../../kernel/errors.ts';
import { defineCommand, flagOf, given, numberOf, textOf } from '../../command.ts';

export const purge = defineCommand({
  path: ['page', 'purge'],
  summary: 'Take a deletion, or all that are old enough, out of the trash for good',
  args: [{ name: 'batch', summary: 'From "page trash"', optional: true }],
  options: [
    { name: 'older-than-days', value: 'number', summary: 'Everything that was deleted before; 0 = all' },
    { name: 'yes', summary: 'Really: it cannot be undone' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page purge --older-than-days 7 --yes'],
  async run({ withHome, output }, input) {
    if (!flagOf(input, 'yes')) throw invalidInput('--yes', 'is needed, because purging cannot be undone');
    const wish = given({
      batch: textOf(input, 'batch'),
      older_than_days: numberOf(input, 'older-than-days'),
    });
    let count = 0;
    await withHome(async (home) => {
      for (let more = true; more; ) {
        const answer = await home.call('purge_page', wish, textOf(input, 'workspace'));
        count += Number(answer.count);
        more = answer.more === true;
      }
    });
    output.data({ count }, () => (count === 0 ? 'Nothing to purge' : `Purged ${count} pages`));
  },
});
