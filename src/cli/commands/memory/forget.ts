/** Forgets. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

export const forget = defineCommand({
  path: ['memory', 'forget'],
  summary: 'Put memories into the trash, from where they can be had back for 30 days',
  args: [{ name: 'ids', summary: 'Their ids', many: true }],
  options: [
    { name: 'dry-run', summary: 'Only say what it would do' },
    { name: 'workspace', value: 'name', summary: 'In this one' },
  ],
  examples: ['memory forget 0197f0a0-0000-7000-8000-000000000000 --dry-run'],
  async run({ call, output }, input) {
    const wish = { ids: [input.args.ids ?? []].flat(), dry_run: flagOf(input, 'dry-run') };
    const answer = await call('memory_forget', wish, textOf(input, 'workspace'));
    output.data(answer, () => {
      const count = (key: string): number => (answer[key] as readonly unknown[]).length;
      const would = wish.dry_run ? 'Would forget' : 'Forgot';
      return `${would} ${count('forgotten')}; ${count('revived')} hold again, ${count('derived')} were made from them`;
    });
  },
});
