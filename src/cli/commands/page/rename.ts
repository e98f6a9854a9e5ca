/** Renames a page. */
import { defineCommand, flagOf, textOf } from '../../command.ts';
import { describeRelink } from './undo.ts';

export const rename = defineCommand({
  path: ['page', 'rename'],
  summary: 'Rename a page and every link to it',
  args: [
    { name: 'page', summary: 'Its id, path or slug' },
    { name: 'title', summary: 'The new title' },
  ],
  options: [
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'keep-alias', summary: 'Let the old title go on answering' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page rename alpha "Alpha Centauri" --dry-run'],
  async run({ call, output }, input) {
    const wish = {
      page: textOf(input, 'page'),
      title: textOf(input, 'title'),
      dry_run: flagOf(input, 'dry-run'),
      keep_alias: flagOf(input, 'keep-alias'),
    };
    const answer = await call('rename_page', wish, textOf(input, 'workspace'));
    output.data(answer, () => describeRelink(answer));
  },
});
