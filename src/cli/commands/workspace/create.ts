/** Makes a workspace. */
import { defineCommand, flagOf, textOf } from '../../command.ts';

export const create = defineCommand({
  path: ['workspace', 'create'],
  summary: 'Make an empty workspace',
  args: [{ name: 'name', summary: 'Its name' }],
  options: [{ name: 'open', summary: 'Open it at once, as the current one' }],
  examples: ['workspace create research --open'],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const open = flagOf(input, 'open');
    const answer = await call('workspace.create', { name, open });
    output.data(answer, () =>
      open ? `"${name}" is made and open` : `"${name}" is made; \`sluice workspace open\` opens it`,
    );
  },
});
