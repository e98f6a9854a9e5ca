/** Takes back a rename or a move. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

export const undo = defineCommand({
  path: ['page', 'undo'],
  summary: 'Take a rename or a move back, with every link it rewrote',
  args: [{ name: 'change', summary: 'Its number, as rename and move answer it' }],
  options: [
    { name: 'dry-run', summary: 'Only say what would happen' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page undo 42 --dry-run'],
  async run({ call, output }, input) {
    const wish = { change: Number(textOf(input, 'change')), dry_run: flagOf(input, 'dry-run') };
    const answer = await call('undo_change', wish, textOf(input, 'workspace'));
    output.data(answer, () => describeRelink(answer));
  },
});

/** What became of a page and of the links to it, on one line. */
export function describeRelink(answer: Readonly<Record<string, unknown>>): string {
  const tense = answer.dry_run ? 'would change' : 'changed';
  const links = `${answer.path}: ${answer.updated_links} links on ${answer.updated_pages} pages ${tense}`;
  const skipped = (answer.skipped as unknown[]).length;
  return [
    links,
    ...(skipped > 0 ? [`${skipped} pages skipped`] : []),
    ...(answer.change === undefined ? [] : [`change ${answer.change}`]),
  ].join(', ');
}
