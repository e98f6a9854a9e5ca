/** Takes pages out of the trash. */
import { defineCommand, textOf } from '../../command.ts';

export const restorePage = defineCommand({
  path: ['page', 'restore'],
  summary: 'Bring back what one deletion removed, all pages of it together',
  args: [
    {
      name: 'batch',
      summary: 'The id of that deletion, no page: from "sluice page trash", or said when it was deleted',
    },
  ],
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
