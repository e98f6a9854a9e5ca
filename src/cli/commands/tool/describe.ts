/** Everything a tool declares. */
import { SluiceError } from '../../../kernel/errors.ts';
import { defineCommand, textOf } from '../../command.ts';

export const describe = defineCommand({
  path: ['tool', 'describe'],
  summary: 'Show everything a tool declares: arguments, result, scopes, limits',
  args: [{ name: 'tool', summary: 'Its name' }],
  examples: ['tool describe read_page', 'tool describe update_page_content --json'],
  async run({ output }, input) {
    const name = textOf(input, 'tool') ?? '';
    const { describeCatalogue } = await import('../../../app/describe-catalogue.ts');
    const found = describeCatalogue().find(
      (tool) => tool.name === name || tool.name.replaceAll('.', '_') === name,
    );
    if (!found) throw new SluiceError('unknown_tool', `There is no tool "${name}"`);
    output.data(found, () => JSON.stringify(found, null, 2));
  },
});
