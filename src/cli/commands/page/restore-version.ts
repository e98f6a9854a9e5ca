/** Makes a page say again what it said before. */
import { defineCommand, given, textOf } from '../../command.ts';

export const restoreVersion = defineCommand({
  path: ['page', 'restore-version'],
  summary: 'Make a page say again what it said at an earlier version, as a new change',
  args: [
    { name: 'page', summary: 'Its id, path or slug' },
    { name: 'version', summary: 'From "sluice page history"' },
  ],
  options: [
    {
      name: 'if-match',
      value: 'version',
      summary: 'Only if the page still has this one, from "page read --version-only"',
    },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page restore-version projects/alpha v1.abc.def'],
  async run({ withHome, output }, input) {
    const [page, workspace] = [textOf(input, 'page'), textOf(input, 'workspace')];
    const answer = await withHome(async (home) => {
      const seen =
        textOf(input, 'if-match') ?? (await home.call('read_page', given({ page }), workspace)).version;
      const wish = given({ page, version: textOf(input, 'version'), if_match: seen });
      return home.call('restore_version', wish, workspace);
    });
    output.data(answer, () =>
      answer.changed
        ? `${answer.path}  ${answer.version}: +${answer.lines_added} -${answer.lines_removed} lines`
        : 'Nothing changed',
    );
  },
});
