/** What changed between two versions of a page. */
import { defineCommand, flagOf, given, textOf } from '../../command.ts';

export const diff = defineCommand({
  path: ['page', 'diff'],
  summary: 'Show what changed between two versions; without them what the last change did',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [
    { name: 'from', value: 'version', summary: 'From "sluice page history"; else the one before' },
    { name: 'to', value: 'version', summary: 'Else as it is now' },
    { name: 'blocks', summary: 'Block by block instead of line by line' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['page diff projects/alpha', 'page diff alpha --from v1.abc.def --blocks'],
  async run({ withHome, output }, input) {
    const wish = given({
      page: textOf(input, 'page'),
      from: textOf(input, 'from'),
      to: textOf(input, 'to'),
      form: flagOf(input, 'blocks') ? 'blocks' : 'unified',
      max_tokens: 100_000,
    });
    const whole = await withHome(async (home) => {
      const first = await home.call('diff_versions', wish, textOf(input, 'workspace'));
      const { next_cursor, ...facts } = first;
      const blocks = [...((first.blocks as BlockChange[] | undefined) ?? [])];
      let lines = String(first.diff ?? '');
      for (let cursor = next_cursor; cursor !== undefined; ) {
        const next = await home.call('diff_versions', { ...wish, cursor }, textOf(input, 'workspace'));
        blocks.push(...((next.blocks as BlockChange[] | undefined) ?? []));
        lines += String(next.diff ?? '');
        cursor = next.next_cursor;
      }
      return { ...facts, ...(first.blocks ? { blocks } : { diff: lines }) };
    });
    output.data(whole, () => ('blocks' in whole ? describe(whole.blocks) : whole.diff.trimEnd()));
  },
});

interface BlockChange {
  readonly change: string;
  readonly before: string;
  readonly after: string;
}

const describe = (blocks: readonly BlockChange[]): string =>
  blocks
    .map(({ change, before, after }) =>
      [`${change}:`, ...marked('-', before), ...marked('+', after)].join('\n'),
    )
    .join('\n');

const marked = (sign: string, text: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => sign + line);
