/** Closes a workspace. */
import { defineCommand, textOf } from '../../command.ts';

export const close = defineCommand({
  path: ['workspace', 'close'],
  summary: 'Close a workspace; its content is kept',
  args: [{ name: 'workspace', summary: 'Its name' }],
  examples: ['workspace close research'],
  async run({ call, output }, input) {
    const workspace = textOf(input, 'workspace');
    const answer = await call('workspace.close', { workspace });
    output.data(answer, () => `"${workspace}" is closed`);
  },
});
