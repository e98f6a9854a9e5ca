/** Puts a page into the trash. */
import { defineCommand, textOf } from '../../command.ts';

export const deletePage = defineCommand({
  path: ['page', 'delete'],
  summary: 'Put a page and everything below it into the trash',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page delete projects/alpha'],
  async run({ call, output }, input) {
    const answer = await call('delete_page', { page: textOf(input, 'page') }, textOf(input, 'workspace'));
    output.data(
      answer,
      () => `${answer.count} pages are in the trash; "sluice page restore ${answer.batch}" brings them back`,
    );
  },
});
