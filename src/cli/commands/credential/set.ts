/** Keeps a credential for providers, from standard input. */
import { invalidInput } from '../../../kernel/errors.ts';
import { defineCommand, given, textOf } from '../../command.ts';
import { readSecret } from '../../read-secret.ts';
import { slotText } from '../../slot-text.ts';

export const set = defineCommand({
  path: ['credential', 'set'],
  summary: 'Keep a credential for providers; it is read from standard input and never shown again',
  args: [{ name: 'ref', summary: 'What providers call it, such as connector://github' }],
  options: [{ name: 'user', value: 'name', summary: 'For this caller alone' }],
  examples: [
    'credential set connector://github < token.txt',
    'credential set connector://github --user alice',
  ],
  async run({ withHome, home, output }, input) {
    const { sealCredential } = await import('../../../app/seal-secret.ts');
    const ref = textOf(input, 'ref') ?? '';
    const user = textOf(input, 'user');
    const secret = await readSecret(output, 'The credential');
    if (secret === '') throw invalidInput('value', 'must be given on standard input');
    const answer = await withHome((client) => {
      const sealed = sealCredential(home, { ref, user: user ?? null }, secret);
      return client.call('credential.set', { ref, sealed, ...given({ user }) });
    });
    output.data(answer, () => `${slotText(answer)} is kept`);
  },
});
