/** Renames a tag everywhere. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

export const rename = defineCommand({
  path: ['tag', 'rename'],
  summary: 'Rename a tag and those nested in it on every page',
  args: [
    { name: 'from', summary: 'The tag as it is' },
    { name: 'to', summary: 'What it is to be called' },
  ],
  options: [
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['tag rename todo task/open --dry-run'],
  async run({ call, output }, input) {
    const wish = { from: textOf(input, 'from'), to: textOf(input, 'to'), dry_run: flagOf(input, 'dry-run') };
    const answer = await call('rename_tag', wish, textOf(input, 'workspace'));
    output.data(answer, () => {
      const skipped = (answer.skipped as { page: string; reason: string }[]).map(
        (one) => `left ${one.page}: ${one.reason}`,
      );
      const what = `${answer.updated_places} places on ${answer.updated_pages} pages`;
      return [answer.dry_run ? `Would change ${what}` : `Changed ${what}`, ...skipped].join('\n');
    });
  },
});
