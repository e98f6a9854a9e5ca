/** Registers an upstream server and discovers it; giving the command line is the consent to run it once. */
import { resolve } from 'node:path';
import { invalidInput, type SluiceError } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, given, listOf, textOf } from '../../command.ts';
import { RELAY_CHOICES, relaysIn } from '../../provider-choices.ts';
import { notDiscovered, reportProvider, type ShownProvider } from '../../provider-report.ts';

export const add = defineCommand({
  path: ['provider', 'add'],
  summary: 'Add an upstream MCP server: register it, ask it once what it shows, and say what is odd',
  args: [
    { name: 'id', summary: 'What to call it; its tools are called id.tool' },
    { name: 'command', summary: 'After --: the program and its arguments', optional: true, many: true },
  ],
  options: [
    { name: 'stdio', summary: 'A program that Sluice runs' },
    { name: 'http', value: 'url', summary: 'A server at this address' },
    { name: 'title', value: 'text', summary: 'How people call it' },
    { name: 'folder', value: 'dir', summary: 'Where the program runs; here if left out', choices: 'path' },
    { name: 'isolate', summary: 'Shut the program in with bubblewrap: nothing of your home, no network' },
    {
      name: 'allow-read',
      value: 'path',
      summary: 'With --isolate: it may read this',
      many: true,
      choices: 'path',
    },
    {
      name: 'allow-write',
      value: 'path',
      summary: 'With --isolate: it may change this',
      many: true,
      choices: 'path',
    },
    { name: 'allow-network', summary: 'With --isolate: it may use the network' },
    {
      name: 'same-as',
      value: 'id',
      summary: 'It is the same program as this provider, for another folder perhaps, and no copy of it',
    },
    { name: 'private-network', summary: 'Its address may be one of a private network' },
    {
      name: 'relay',
      value: 'kinds',
      summary: `What it may ask the one who calls for: ${RELAY_CHOICES.join(', ')}; nothing if left out`,
      many: true,
    },
    { name: 'credential', value: 'ref', summary: 'A reference such as connector://github' },
    { name: 'per-user', summary: 'Each caller has a credential of its own' },
    {
      name: 'credential-header',
      value: 'name',
      summary: 'In which header it is sent; Authorization if left out',
    },
    { name: 'credential-format', value: 'text', summary: 'How it is written there, such as "Bearer {}"' },
    {
      name: 'env',
      value: 'name=ref',
      summary: "A variable of the program's environment and the credential in it",
      many: true,
    },
  ],
  examples: [
    'provider add files --stdio -- npx -y @modelcontextprotocol/server-filesystem ./docs',
    'provider add files --isolate --allow-write ~/docs --stdio -- mcp-server-filesystem ~/docs',
    'provider add tracker --http https://example.com/mcp',
    'provider add forge --env FORGE_TOKEN=connector://forge --stdio -- forge-mcp',
  ],
  async run(context, input) {
    const id = textOf(input, 'id') ?? '';
    const target = targetOf(input);
    const answer = await context.withHome(async (home) => {
      await home.call('provider.register', {
        id,
        ...target,
        ...given({
          display_name: textOf(input, 'title'),
          folder: folderOf(input),
          isolation: isolationOf(input),
          relay: relaysIn(input),
          same_as: textOf(input, 'same-as'),
          credential: textOf(input, 'credential'),
          credential_header: textOf(input, 'credential-header'),
          credential_format: textOf(input, 'credential-format'),
        }),
        credential_per_user: flagOf(input, 'per-user'),
        environment: environmentOf(input),
      });
      return (await home.call('provider.discover', { id })) as unknown as ShownProvider;
    });
    context.output.data(answer, () => reportProvider(answer));
    context.output.note(nextStep(answer));
  },
});

/** Where the command was given, so that relative paths mean what they meant there; shut in, only where it may be. */
function folderOf(input: CommandInput): string | undefined {
  const folder = textOf(input, 'folder');
  if (folder !== undefined) return resolve(folder);
  return flagOf(input, 'stdio') && !flagOf(input, 'isolate') ? process.cwd() : undefined;
}

function isolationOf(input: CommandInput): Readonly<Record<string, unknown>> | undefined {
  // As they are: a path may hold a comma.
  const [read, write] = [input.options['allow-read'], input.options['allow-write']].map((given) =>
    [typeof given === 'boolean' ? [] : (given ?? [])].flat().map((path) => resolve(path)),
  );
  const network = flagOf(input, 'allow-network');
  if (flagOf(input, 'isolate')) return { read, write, network };
  if (network || read?.length || write?.length)
    throw invalidInput('--isolate', 'must be given with --allow-read, --allow-write and --allow-network');
  return undefined;
}

function targetOf(input: CommandInput): Readonly<Record<string, unknown>> {
  const command = [input.args.command ?? []].flat();
  const url = textOf(input, 'http');
  if (flagOf(input, 'stdio') === (url !== undefined))
    throw invalidInput('--stdio', 'or --http must be given, and not both');
  if (url !== undefined) {
    if (command.length > 0) throw invalidInput('command', 'does not go with --http');
    return { url, private_network: flagOf(input, 'private-network') };
  }
  if (command.length === 0) throw invalidInput('command', 'must follow after --');
  return { command };
}

function environmentOf(input: CommandInput): Readonly<Record<string, string>> {
  const pairs = (listOf(input, 'env') ?? []).map((text) => {
    const at = text.indexOf('=');
    // What stands behind it may be the credential itself, by mistake: it is not repeated.
    const [name, ref] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    if (at < 1 || !/^[a-z-]+:\/\//.test(ref)) throw notByReference(name);
    return [name, ref];
  });
  return Object.fromEntries(pairs);
}

const notByReference = (name: string): SluiceError =>
  invalidInput(
    '--env',
    `must be written NAME=connector://…, and the value kept with: sluice credential set connector://ID/${name || 'NAME'}`,
  );

/** Added is added, so this is no failure; but nothing is there yet to decide about. */
function nextStep(answer: ShownProvider): string {
  const failed = notDiscovered(answer);
  return failed === undefined
    ? `Nothing of it can be called yet. To let tools in: sluice provider review ${answer.id} --admit TOOL,… --reason "…"`
    : `It is registered, but ${failed}`;
}
