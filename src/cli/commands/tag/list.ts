/** Lists tags. */
import { defineCommand, given, textOf } from '../../command.ts';
import { table } from '../../output.ts';

interface Tag {
  readonly tag: string;
  readonly pages: number;
  readonly with_nested: number;
}

export const list = defineCommand({
  path: ['tag', 'list'],
  summary: 'List the tags of the workspace with how many pages have them',
  args: [{ name: 'under', summary: 'Only this one and those nested in it', optional: true }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['tag list', 'tag list project'],
  async run({ withHome, output }, input) {
    const tags: Tag[] = [];
    await withHome(async (home) => {
      let cursor: unknown;
      do {
        const wish = given({ under: textOf(input, 'under'), limit: 500, cursor });
        const part = await home.call('list_tags', wish, textOf(input, 'workspace'));
        tags.push(...(part.tags as Tag[]));
        cursor = part.next_cursor;
      } while (cursor !== undefined);
    });
    const rows = tags.map((one) => [`#${one.tag}`, String(one.pages), String(one.with_nested)]);
    output.data({ tags }, () =>
      rows.length === 0 ? 'No tags' : table(['TAG', 'PAGES', 'WITH NESTED'], rows),
    );
  },
});
