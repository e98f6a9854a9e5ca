/** Lists roles. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';

export const roles = defineCommand({
  path: ['policy', 'roles'],
  summary: 'List roles with their tools, scopes and reach',
  examples: ['policy roles'],
  async run({ call, output }) {
    const answer = await call('policy.role.list');
    output.data(answer, () => {
      const all = answer.roles as {
        name: string;
        tools: string[];
        scopes: string[];
        reach: string;
        version: number;
      }[];
      const rows = all.map((role) => [
        role.name,
        role.reach,
        String(role.version),
        role.tools.join(' '),
        role.scopes.join(' '),
      ]);
      return table(['ROLE', 'REACH', 'VERSION', 'TOOLS', 'SCOPES'], rows);
    });
  },
});
