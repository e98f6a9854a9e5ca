/** One approval with what there is to decide about. */
import { defineCommand, textOf } from '../../command.ts';
import { facts } from '../../output.ts';

export const showApproval = defineCommand({
  path: ['approval', 'show'],
  summary: 'Show the exact call that waits, or how the held answer begins; secrets are masked',
  args: [{ name: 'id', summary: 'The approval' }],
  examples: ['approval show 0199c0de-0000-7000-8000-000000000000'],
  async run({ call, output }, input) {
    const answer = await call('approval.read', { id: textOf(input, 'id') });
    output.data(answer, () => {
      const { excerpt, arguments: given, ...rest } = answer;
      const held = typeof excerpt === 'string' ? ['', 'The held answer begins:', '', excerpt] : [];
      return [facts(rest), '', 'Called with:', '', String(given), ...held].join('\n');
    });
  },
});
