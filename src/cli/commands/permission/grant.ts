/** Grants a permission. */
import { defineCommand, textOf } from '../../command.ts';
import { readGrant, WHERE, WHO } from '../../permission-subject.ts';

export const grant = defineCommand({
  path: ['permission', 'grant'],
  summary: 'Say what somebody may do with a page and everything below it; authors are not bound',
  args: [WHERE, WHO, { name: 'level', summary: 'hidden, drop, read, propose or write' }],
  examples: ['permission grant private role:client hidden', 'permission grant / client:reporter read'],
  async run({ call, output }, input) {
    const wanted = { ...readGrant(input), level: textOf(input, 'level') };
    const answer = await call('grant_permission', wanted);
    output.data(answer, () => `${wanted.subject_type} "${wanted.subject}" has ${wanted.level} there`);
    for (const warning of answer.warnings as string[]) output.note(`Warning: ${warning}`);
  },
});
