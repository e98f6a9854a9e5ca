/** What waits for a yes. */
import { defineCommand, flagOf, given, numberOf, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const listApprovals = defineCommand({
  path: ['approval', 'list'],
  summary: 'List calls that wait for a yes and answers that are held, newest first',
  options: [
    { name: 'all', summary: 'Also what was decided, used or has expired' },
    { name: 'kind', value: 'kind', summary: 'Only this kind', choices: ['preinvoke', 'postfirewall'] },
    { name: 'limit', value: 'number', summary: 'At most this many: 50, or up to 200' },
  ],
  examples: ['approval list', 'approval list --all --json'],
  async run({ call, output }, input) {
    const answer = await call('approval.list', {
      ...(!flagOf(input, 'all') && { state: 'pending' }),
      ...given({ kind: textOf(input, 'kind'), limit: numberOf(input, 'limit') }),
    });
    output.data(answer, () => {
      const approvals = answer.approvals as Record<string, string>[];
      if (approvals.length === 0) return 'Nothing waits';
      const rows = approvals.map((one) => [
        one.id ?? '',
        one.kind ?? '',
        one.state ?? '',
        one.tool ?? '',
        one.by ?? '',
        one.expires_at ?? '',
      ]);
      return table(['ID', 'KIND', 'STATE', 'TOOL', 'BY', 'UNTIL'], rows);
    });
  },
});
