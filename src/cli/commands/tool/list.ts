/** Lists tools. */
import { defineCommand, given, textOf } from '../../command.ts';
import { table } from '../../output.ts';

export const list = defineCommand({
  path: ['tool', 'list'],
  summary: 'List tools with what each does',
  options: [{ name: 'family', value: 'name', summary: 'Only this family' }],
  examples: ['tool list', 'tool list --family workspace --json'],
  async run({ call, output }, input) {
    const answer = await call('list_tools', given({ family: textOf(input, 'family') }));
    output.data(answer, () => {
      const tools = answer.tools as { name: string; family: string; summary: string; tokens: number }[];
      return table(
        ['NAME', 'FAMILY', 'TOKENS', 'SUMMARY'],
        tools.map((one) => [one.name, one.family, String(one.tokens), one.summary]),
      );
    });
  },
});
