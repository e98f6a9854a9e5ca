/** Makes or changes a role. */
import { defineCommand, given, listOf, textOf } from '../../command.ts';

export const setRole = defineCommand({
  path: ['policy', 'set-role'],
  summary: 'Make a role or replace what it allows',
  args: [{ name: 'name', summary: 'Its name' }],
  options: [
    { name: 'tools', value: 'a,b', summary: 'Names or patterns of tools' },
    { name: 'scopes', value: 'a,b', summary: 'What it may do' },
    {
      name: 'reach',
      value: 'reach',
      summary: 'sandbox, orchestrator (default) or both',
      choices: ['sandbox', 'orchestrator', 'both'],
    },
  ],
  examples: ['policy set-role librarian --tools search,read_page --scopes workspace.read'],
  async run({ call, output }, input) {
    const answer = await call(
      'policy.role.set',
      given({
        name: textOf(input, 'name'),
        tools: listOf(input, 'tools') ?? [],
        scopes: listOf(input, 'scopes') ?? [],
        reach: textOf(input, 'reach'),
      }),
    );
    output.data(answer, () => `The role is set (version ${(answer.role as { version: number }).version})`);
  },
});
