/** A person's yes or no to a call or a held answer. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, textOf } from '../../command.ts';

export const decideApproval = defineCommand({
  path: ['approval', 'decide'],
  summary: 'Say yes or no to a call that waits, or to letting a held answer go',
  args: [{ name: 'id', summary: 'The approval' }],
  options: [
    { name: 'approve', summary: 'Yes, once, for exactly this call' },
    { name: 'reject', summary: 'No; a held answer is dropped' },
    {
      name: 'session',
      summary: 'With --approve: for all calls of this run to the tool, if the policy allows',
    },
    { name: 'reason', value: 'text', summary: 'Why; kept with the decision' },
  ],
  examples: [
    'approval decide 0199c0de-0000-7000-8000-000000000000 --approve --reason "as agreed"',
    'approval decide 0199c0de-0000-7000-8000-000000000000 --reject --reason "not to this address"',
  ],
  async run({ call, output }, input) {
    const answer = await call('approval.decide', {
      id: textOf(input, 'id'),
      decision: decisionOf(input),
      reason: textOf(input, 'reason') ?? 'decided at the machine',
    });
    output.data(answer, () => outcome(answer));
  },
});

function outcome({ tool, by, kind, state }: Readonly<Record<string, unknown>>): string {
  const held = kind === 'postfirewall';
  if (state === 'rejected') return held ? `The answer of ${tool} is dropped` : `${tool} is not called`;
  return held
    ? `The answer of ${tool} is given to ${by} when it makes the same call again`
    : `${tool} is called when ${by} makes the same call again`;
}

function decisionOf(input: CommandInput): string {
  const [yes, no] = [flagOf(input, 'approve'), flagOf(input, 'reject')];
  if (yes === no) throw invalidInput('--approve', 'or --reject must be given, and not both');
  if (no) return 'REJECTED';
  return flagOf(input, 'session') ? 'APPROVED_FOR_SESSION' : 'APPROVED_ONCE';
}
