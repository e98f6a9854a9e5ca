/** Removes an access rule. */
import { defineCommand, textOf } from '../../command.ts';

export const remove = defineCommand({
  path: ['policy', 'remove'],
  summary: 'Take an access rule away',
  args: [{ name: 'rule', summary: 'Its id, from "sluice policy rules"' }],
  examples: ['policy remove default:client:workspace'],
  async run({ call, output }, input) {
    const answer = await call('policy.rule.remove', { rule: textOf(input, 'rule') });
    output.data(answer, () => 'The rule is gone');
  },
});
