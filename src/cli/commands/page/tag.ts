/** Tags a page, or takes tags away. */
import { type Command, type CommandInput, defineCommand, textOf } from '../../command.ts';

function tagging(verb: 'tag' | 'untag', summary: string): Command {
  return defineCommand({
    path: ['page', verb],
    summary,
    args: [
      { name: 'page', summary: 'Its id, path or slug' },
      { name: 'tags', summary: 'With or without #', many: true },
    ],
    options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
    examples: [`page ${verb} alpha project/active`],
    async run({ call, output }, input) {
      const wish = { page: textOf(input, 'page'), tags: tagsOf(input) };
      const answer = await call(`${verb}_page`, wish, textOf(input, 'workspace'));
      output.data(answer, () => {
        const tags = (answer.tags as string[]).map((tag) => `#${tag}`).join(' ');
        return `${answer.path}  ${tags}`.trimEnd();
      });
    },
  });
}

const tagsOf = (input: CommandInput): readonly string[] => [input.args.tags ?? []].flat();

export const tag = tagging('tag', 'Add tags to a page');
export const untag = tagging('untag', 'Take tags away from a page');
