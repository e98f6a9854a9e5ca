/** Makes a page. */
import { defineCommand, given, listOf, textOf } from '../../command.ts';
import { CONTENT_OPTIONS, readContent } from '../../page-content.ts';

export const create = defineCommand({
  path: ['page', 'create'],
  summary: 'Make a page',
  args: [{ name: 'title', summary: 'Its title' }],
  options: [
    ...CONTENT_OPTIONS,
    { name: 'parent', value: 'page', summary: 'Below this page' },
    { name: 'tags', value: 'a,b', summary: 'Its tags' },
    { name: 'template', value: 'page', summary: 'Begin with the text of this page' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page create Alpha --content "# Alpha"', 'page create Notes --parent projects --file notes.md'],
  async run({ call, output }, input) {
    const wish = given({
      title: textOf(input, 'title'),
      content: await readContent(input),
      parent: textOf(input, 'parent'),
      tags: listOf(input, 'tags'),
      template: textOf(input, 'template'),
    });
    const answer = await call('create_page', wish, textOf(input, 'workspace'));
    output.data(answer, () => `${answer.path}  ${answer.id}`);
  },
});
