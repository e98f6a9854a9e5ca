/** Gives a client its own token and shows how to configure it. */
import { programPath } from '../../app/program-path.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { CLIENT_KINDS, type ClientKind, longestList, needsToken, snippetFor } from '../client-snippets.ts';
import { defineCommand, flagOf, textOf } from '../command.ts';

export const connect = defineCommand({
  path: ['connect'],
  summary: 'Give a client a token of its own and show its configuration',
  args: [{ name: 'client', summary: CLIENT_KINDS.join(', '), choices: CLIENT_KINDS }],
  options: [
    { name: 'name', value: 'name', summary: 'What to call it here; default: the client' },
    { name: 'role', value: 'role', summary: 'Default: client, which reads and proposes' },
    { name: 'replace', summary: 'Revoke the token it had before' },
  ],
  examples: ['connect claude-code', 'connect cursor --name cursor-laptop', 'connect codex --replace'],
  async run(context, input) {
    const kind = readKind(textOf(input, 'client') ?? '');
    const name = textOf(input, 'name') ?? kind;
    const role = textOf(input, 'role') ?? 'client';
    const connection = await context.withHome(async (home) => {
      const status = await home.call('get_mcp_status', {});
      const url = String(status.url ?? `http://127.0.0.1:${status.port}/mcp`);
      if (!needsToken(kind)) return { url, token: '', warnings: [] };
      if (flagOf(input, 'replace')) await revokeIfThere(home, name);
      const added = await home.call('client.add', { name, role, ...longestList(kind) });
      return { url, token: String(added.token), warnings: added.warnings as string[] };
    });
    const { where, text } = snippetFor(kind, {
      ...connection,
      name,
      home: context.home,
      command: programPath(),
    });
    context.output.data(
      { name, kind, ...connection, where, configuration: text },
      () => `# ${where}\n${text}`,
    );
    for (const warning of connection.warnings) context.output.note(`Warning: ${warning}`);
    if (connection.token !== '')
      context.output.talk('The token is shown this once; "sluice client revoke" takes it away.');
  },
});

function readKind(text: string): ClientKind {
  const kind = CLIENT_KINDS.find((known) => known === text);
  if (kind) return kind;
  throw invalidInput('client', `must be one of ${CLIENT_KINDS.join(', ')}`);
}

async function revokeIfThere(
  home: { call: (tool: string, input: Record<string, unknown>) => Promise<unknown> },
  name: string,
): Promise<void> {
  const { clients } = (await home.call('client.list', {})) as { clients: { name: string }[] };
  if (clients.some((client) => client.name === name)) await home.call('client.revoke', { name });
}
