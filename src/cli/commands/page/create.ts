/** Makes a page. */
import { invalidInput } from '../../../kernel/errors.ts';
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
    {
      name: 'template',
      value: 'page',
      summary: 'Begin with the text of this page, which has the property template',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page create Alpha --content "# Alpha"', 'page create Notes --parent projects --file notes.md'],
  async run({ call, output }, input) {
    const content = await readContent(input);
    if (content !== undefined && textOf(input, 'template') !== undefined)
      throw invalidInput('--template', 'gives the page its text; leave --content and --file out');
    const wish = given({
      title: textOf(input, 'title'),
      content,
      parent: textOf(input, 'parent'),
      tags: listOf(input, 'tags'),
      template: textOf(input, 'template'),
    });
    const answer = await call('create_page', wish, textOf(input, 'workspace'));
    output.data(answer, () => `${answer.path}  ${answer.id}`);
  },
});
