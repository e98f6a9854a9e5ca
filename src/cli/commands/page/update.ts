/** Replaces a page's text. */
import { invalidInput } from '../../../kernel/errors.ts';
import { defineCommand, given, textOf } from '../../command.ts';
import { CONTENT_OPTIONS, readContent } from '../../page-content.ts';

export const update = defineCommand({
  path: ['page', 'update'],
  summary: "Replace a page's text, merging with what others did since the base version",
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    ...CONTENT_OPTIONS,
    {
      name: 'base-version',
      value: 'version',
      summary: 'The version your text is based on, from "page read --version-only"',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page update alpha --file alpha.md --base-version v1.abc'],
  async run({ call, output }, input) {
    const content = await readContent(input);
    if (content === undefined) throw invalidInput('--content', 'or --file is required');
    const wish = given({ page: textOf(input, 'page'), content, base_version: textOf(input, 'base-version') });
    const answer = await call('update_page_content', wish, textOf(input, 'workspace'));
    output.data(answer, () => (answer.changed ? `${answer.path}  ${answer.version}` : 'Nothing changed'));
  },
});
