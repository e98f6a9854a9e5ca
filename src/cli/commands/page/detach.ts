/** Takes an attachment away. */
import { defineCommand, textOf } from '../../command.ts';

export const detach = defineCommand({
  path: ['page', 'detach'],
  summary: 'Take a file of the workspace away',
  args: [{ name: 'path', summary: 'Its path in the workspace, as list_attachments gives it' }],
  options: [{ name: 'workspace', value: 'name', summary: 'In this one' }],
  examples: ['page detach "alpha/plan.png"'],
  async run({ call, output }, input) {
    const answer = await call('detach_file', { path: textOf(input, 'path') }, textOf(input, 'workspace'));
    output.data(answer, () => `${answer.path}  ${answer.digest}`);
  },
});
