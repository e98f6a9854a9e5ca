/** Makes a token for a client. */
import { defineCommand, given, listOf, numberOf, textOf } from '../../command.ts';

export const add = defineCommand({
  path: ['client', 'add'],
  summary: 'Make a token for a client; it is shown this once',
  args: [{ name: 'name', summary: 'What to call it' }],
  options: [
    { name: 'role', value: 'role', summary: 'Default: client' },
    { name: 'scopes', value: 'a,b', summary: 'Fewer than the role has' },
    {
      name: 'origin',
      value: 'origin',
      summary: 'authored, agent-produced (default) or imported',
      choices: ['authored', 'agent-produced', 'imported'],
    },
    { name: 'workspace', value: 'name', summary: 'Bind it to one workspace' },
    { name: 'expires', value: 'when', summary: 'A date, or a span such as 30d' },
    {
      name: 'names',
      value: 'form',
      summary: 'dotted (default) or underscore tool names',
      choices: ['dotted', 'underscore'],
    },
    { name: 'toolset', value: 'name', summary: 'It sees and calls nothing else' },
    { name: 'cap', value: 'number', summary: 'Tools in its list at most, 40 for Cursor' },
  ],
  examples: [
    'client add claude-code --role client --expires 90d',
    'client add alice --role editor --origin authored --json',
  ],
  async run({ call, output }, input) {
    const answer = await call(
      'client.add',
      given({
        name: textOf(input, 'name'),
        role: textOf(input, 'role'),
        scopes: listOf(input, 'scopes'),
        origin: textOf(input, 'origin'),
        workspace: textOf(input, 'workspace'),
        expires: textOf(input, 'expires'),
        names: textOf(input, 'names'),
        toolset: textOf(input, 'toolset'),
        cap: numberOf(input, 'cap'),
      }),
    );
    output.data(answer, () => String(answer.token));
    for (const warning of answer.warnings as string[]) output.note(`Warning: ${warning}`);
    output.talk('The token is shown this once; "sluice client revoke" takes it away.');
  },
});
