/** What happened to a page. */
import { defineCommand, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const history = defineCommand({
  path: ['page', 'history'],
  summary: 'Show what happened to a page, newest first',
  args: [{ name: 'page', summary: 'Its id, path or slug' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page history projects/alpha'],
  async run({ call, output }, input) {
    const answer = await call(
      'get_page_history',
      { page: textOf(input, 'page'), limit: 100 },
      textOf(input, 'workspace'),
    );
    output.data(answer, () => {
      const events = answer.events as {
        change: number;
        at: string;
        kind: string;
        by: string;
        tool: string;
        origin: string;
        after_version: string | null;
      }[];
      const rows = events.map((one) => [
        String(one.change),
        one.at,
        one.kind,
        one.by,
        one.tool,
        one.origin,
        one.after_version ?? '–',
      ]);
      return table(['CHANGE', 'WHEN', 'WHAT', 'BY', 'TOOL', 'ORIGIN', 'VERSION'], rows);
    });
  },
});
