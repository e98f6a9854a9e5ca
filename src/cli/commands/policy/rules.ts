/** Lists access rules. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

interface Rule {
  id: string;
  subject_type: string;
  subject: string | null;
  resource_type: string;
  pattern: string;
  effect: string;
  reason: string;
}

export const rules = defineCommand({
  path: ['policy', 'rules'],
  summary: 'List the access rules in force',
  examples: ['policy rules'],
  async run({ call, output }) {
    const answer = await call('policy.rule.list');
    output.data(answer, () => {
      const rows = (answer.rules as Rule[]).map((rule) => [
        rule.effect,
        rule.subject === null ? 'everybody' : `${rule.subject_type} ${rule.subject}`,
        `${rule.resource_type} ${rule.pattern}`,
        rule.reason,
        rule.id,
      ]);
      return table(['EFFECT', 'WHO', 'WHAT', 'REASON', 'ID'], rows);
    });
  },
});
