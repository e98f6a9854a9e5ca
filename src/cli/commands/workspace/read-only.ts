/** Makes a workspace read-only, or writable again. */
import { invalidInput } from '../../../kernel/errors.ts';
import { defineCommand, given, textOf } from '../../command.ts';

export const readOnly = defineCommand({
  path: ['workspace', 'read-only'],
  summary: 'Keep everybody from changing anything in a workspace, or let them again',
  args: [{ name: 'switch', summary: '"on" or "off"' }],
  options: [{ name: 'workspace', value: 'name', summary: 'Which one; by default the current one' }],
  examples: ['workspace read-only on'],
  async run({ call, output }, input) {
    const wanted = textOf(input, 'switch');
    if (wanted !== 'on' && wanted !== 'off') throw invalidInput('switch', 'must be "on" or "off"');
    const answer = await call(
      'workspace.set_read_only',
      given({ workspace: textOf(input, 'workspace'), read_only: wanted === 'on' }),
    );
    output.data(answer, () => `"${answer.workspace}" is ${wanted === 'on' ? 'read-only' : 'writable'}`);
  },
});
