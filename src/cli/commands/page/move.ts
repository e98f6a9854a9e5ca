/** Moves a page. */
import { defineCommand, flagOf, given, numberOf, textOf } from '../../command.ts';
import { describeRelink } from './undo.ts';

export const move = defineCommand({
  path: ['page', 'move'],
  summary: 'Move a page with everything below it',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    { name: 'parent', value: 'page', summary: 'The new parent; left out = the root' },
    { name: 'position', value: 'number', summary: 'Place among its siblings, 0 = first' },
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page move alpha --parent projects', 'page move projects/alpha'],
  async run({ call, output }, input) {
    const wish = given({
      page: textOf(input, 'page'),
      parent: textOf(input, 'parent') ?? null,
      position: numberOf(input, 'position'),
      dry_run: flagOf(input, 'dry-run'),
    });
    const answer = await call('move_page', wish, textOf(input, 'workspace'));
    output.data(answer, () => describeRelink(answer));
  },
});
