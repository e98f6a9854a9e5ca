/** Forgets a credential. */
import { defineCommand, given, textOf } from '../../command.ts';
import { slotText } from '../../slot-text.ts';

export const remove = defineCommand({
  path: ['credential', 'remove'],
  summary: 'Forget a credential; providers that need it are refused from then on',
  args: [{ name: 'ref', summary: 'What providers call it' }],
  options: [{ name: 'user', value: 'name', summary: 'The one of this caller' }],
  examples: ['credential remove connector://github', 'credential remove connector://github --user alice'],
  async run({ call, output }, input) {
    const wish = given({ ref: textOf(input, 'ref'), user: textOf(input, 'user') });
    const answer = await call('credential.remove', wish);
    output.data(answer, () => `${slotText(answer)} is gone`);
  },
});
