/** All records of one call. */
import { defineCommand, textOf } from '../../command.ts';
import { facts } from '../../output.ts';

export const show = defineCommand({
  path: ['audit', 'show'],
  summary: 'Show every record of one call',
  args: [{ name: 'call', summary: 'The id of the call' }],
  examples: ['audit show 0199c0de-0000-7000-8000-000000000000'],
  async run({ call, output }, input) {
    const answer = await call('audit.get', { call_id: textOf(input, 'call') });
    output.data(answer, () => (answer.records as Record<string, unknown>[]).map(facts).join('\n\n'));
  },
});
