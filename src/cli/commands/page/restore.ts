/** Takes pages out of the trash. */
import { defineCommand, textOf } from '../../command.ts';

export const restorePage = defineCommand({
  path: ['page', 'restore'],
  summary: 'Bring back what one deletion removed',
  args: [{ name: 'batch', summary: 'From "sluice page trash"' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page restore 0199c0de-0000-7000-8000-000000000000'],
  async run({ call, output }, input) {
    const answer = await call('restore_page', { batch: textOf(input, 'batch') }, textOf(input, 'workspace'));
    output.data(answer, () => {
      const pages = answer.restored as { path: string; note?: string }[];
      return pages
        .map((page) => (page.note === undefined ? page.path : `${page.path} (${page.note})`))
        .join('\n');
    });
  },
});
