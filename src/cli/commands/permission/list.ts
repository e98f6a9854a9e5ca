/** Lists permissions. */
import { defineCommand, given, textOf } from '../../command.ts';
import { table } from '../../output.ts';

interface Grant {
  path: string;
  page: string | null;
  subject_type: string;
  subject: string;
  level: string;
  granted_by: string;
}

export const list = defineCommand({
  path: ['permission', 'list'],
  summary: 'List what is granted, in all or on one page and those above it',
  options: [{ name: 'page', value: 'page', summary: 'Only what holds for this page' }],
  examples: ['permission list', 'permission list --page private/plans'],
  async run({ call, output }, input) {
    const answer = await call('list_permissions', given({ page: textOf(input, 'page') }));
    output.data(answer, () => {
      const rows = (answer.grants as Grant[]).map((grant) => [
        grant.page === null ? '/' : grant.path,
        `${grant.subject_type}:${grant.subject}`,
        grant.level,
        grant.granted_by,
      ]);
      return table(['PAGE', 'WHO', 'LEVEL', 'BY'], rows);
    });
  },
});
