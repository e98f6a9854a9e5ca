/** Makes or replaces a toolset. */
import { defineCommand, listOf, textOf } from '../../../command.ts';

export const set = defineCommand({
  path: ['client', 'toolset', 'set'],
  summary: 'Name a part of the catalogue to give to clients',
  args: [{ name: 'name', summary: 'What to call it' }],
  options: [
    { name: 'tools', value: 'a,b.*', summary: 'Names and patterns of what is in it', many: true },
    { name: 'pin', value: 'a,b', summary: 'What a shortened list shows, in this order', many: true },
  ],
  examples: ["client toolset set docs --tools 'search,read_page,files.*' --pin search"],
  async run({ call, output }, input) {
    const name = textOf(input, 'name');
    const answer = await call('client.toolset.set', {
      name,
      tools: listOf(input, 'tools') ?? [],
      pinned: listOf(input, 'pin') ?? [],
    });
    output.data(answer, () => `The toolset "${name}" is set`);
    for (const warning of answer.warnings as string[]) output.talk(warning);
  },
});
