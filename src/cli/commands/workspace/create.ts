/** Makes a workspace. */
import { defineCommand, textOf } from '../../command.ts';

export const create = defineCommand({
  path: ['workspace', 'create'],
  summary: 'Make an empty workspace',
  args: [{ name: 'name', summary: 'Its name' }],
  examples: ['workspace create research'],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const answer = await call('workspace.create', { name });
    output.data(answer, () => `"${name}" is made; \`sluice workspace open\` opens it`);
  },
});
