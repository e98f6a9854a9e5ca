/** Changes what a client is offered. */
import { invalidInput } from '../../../kernel/errors.ts';
import { defineCommand, given, numberOf, textOf } from '../../command.ts';

const NONE = 'none';

export const limit = defineCommand({
  path: ['client', 'limit'],
  summary: 'Give a client a toolset, a longest list of tools, or neither',
  args: [{ name: 'name', summary: 'The client' }],
  options: [
    { name: 'toolset', value: 'name', summary: 'It sees and calls nothing else; none = all of its role' },
    { name: 'cap', value: 'number', summary: 'Tools in its list at most; none = all of them' },
  ],
  examples: ['client limit cursor --cap 40', 'client limit cursor --toolset docs --cap none'],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const toolset = textOf(input, 'toolset');
    const wanted = given({
      toolset: toolset === NONE ? null : toolset,
      cap: textOf(input, 'cap') === NONE ? null : numberOf(input, 'cap'),
    });
    if (Object.keys(wanted).length === 0) throw invalidInput('--toolset', 'or --cap must be given');
    const answer = await call('client.limit', { name, ...wanted });
    const client = answer.client as { toolset: string | null; cap: number | null };
    const what = client.toolset === null ? 'everything of its role' : `the toolset "${client.toolset}"`;
    const shown = client.cap === null ? 'all in its list' : `at most ${client.cap} in its list`;
    output.data(answer, () => `"${name}" has ${what}, ${shown}`);
  },
});
