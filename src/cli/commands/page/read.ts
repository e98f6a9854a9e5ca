/** Prints a page. */
import { defineCommand, flagOf, given, textOf } from '../../command.ts';

export const read = defineCommand({
  path: ['page', 'read'],
  summary: 'Print a page as Markdown, or everything about it with --json',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    { name: 'section', value: 'heading', summary: 'Only this section' },
    { name: 'version', value: 'version', summary: 'An earlier version' },
    { name: 'version-only', summary: 'Only which version it is, for "page update --base-version"' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page read projects/alpha', 'page read alpha --section "Open questions"'],
  async run({ withHome, json, output }, input) {
    const wish = given({
      page: textOf(input, 'page'),
      section: textOf(input, 'section'),
      version: textOf(input, 'version'),
      max_tokens: 100_000,
    });
    const whole = await withHome(async (home) => {
      const first = await home.call('read_page', wish, textOf(input, 'workspace'));
      let content = String(first.content);
      for (let cursor = first.next_cursor; cursor !== undefined; ) {
        const next = await home.call('read_page', { ...wish, cursor }, textOf(input, 'workspace'));
        content += String(next.content);
        cursor = next.next_cursor;
      }
      const { next_cursor: _, ...facts } = first;
      return { ...facts, version: String(first.version), content };
    });
    if (flagOf(input, 'version-only')) return output.data({ version: whole.version }, () => whole.version);
    // The text goes out as it is, without a newline of ours at its end.
    if (json) output.data(whole, () => '');
    else output.raw(whole.content);
  },
});
