/** Opens a workspace. */
import { defineCommand, textOf } from '../../command.ts';

export const open = defineCommand({
  path: ['workspace', 'open'],
  summary: 'Open a workspace and make it the current one',
  args: [{ name: 'workspace', summary: 'Its name' }],
  examples: ['workspace open research'],
  async run({ call, output }, input) {
    const workspace = textOf(input, 'workspace');
    const answer = await call('workspace.open', { workspace });
    output.data(answer, () => `"${workspace}" is open`);
  },
});
