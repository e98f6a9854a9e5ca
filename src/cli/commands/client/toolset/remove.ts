/** Takes a toolset away. */
import { defineCommand, textOf } from '../../../command.ts';

export const remove = defineCommand({
  path: ['client', 'toolset', 'remove'],
  summary: 'Take a toolset away that no client has',
  args: [{ name: 'name', summary: 'The toolset' }],
  examples: ['client toolset remove docs'],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const answer = await call('client.toolset.remove', { name });
    output.data(answer, () => `The toolset "${name}" is removed`);
  },
});
