/** Revokes a permission. */
import { defineCommand } from '../../command.ts';
import { readGrant, WHERE, WHO } from '../../permission-subject.ts';

export const revoke = defineCommand({
  path: ['permission', 'revoke'],
  summary: 'Take back what was granted on a page',
  args: [WHERE, WHO],
  examples: ['permission revoke private role:client'],
  async run({ call, output }, input) {
    const wanted = readGrant(input);
    const answer = await call('revoke_permission', wanted);
    output.data(
      answer,
      () => `${wanted.subject_type} "${wanted.subject}" has "${answer.level}" no more there`,
    );
  },
});
