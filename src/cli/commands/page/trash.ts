/** Lists the trash. */
import { defineCommand, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const trash = defineCommand({
  path: ['page', 'trash'],
  summary: 'List deletions that were not restored',
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page trash'],
  async run({ call, output }, input) {
    const answer = await call('list_trash', { limit: 100 }, textOf(input, 'workspace'));
    output.data(answer, () => {
      const batches = answer.batches as {
        batch: string;
        deleted_at: string;
        deleted_by: string;
        count: number;
        pages: { title: string }[];
      }[];
      if (batches.length === 0) return 'The trash is empty';
      const rows = batches.map((one) => [
        one.deleted_at,
        one.deleted_by,
        String(one.count),
        one.pages[0]?.title ?? '',
        one.batch,
      ]);
      return table(['WHEN', 'BY', 'PAGES', 'FIRST', 'BATCH'], rows);
    });
  },
});
