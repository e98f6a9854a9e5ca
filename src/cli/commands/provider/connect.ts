/** Connects a provider to its authorization server. */
import { invalidInput } from '../../../kernel/errors.ts';
import { type CommandInput, defineCommand, flagOf, listOf, numberOf, textOf } from '../../command.ts';
import type { Output } from '../../output.ts';
import { readSecret } from '../../read-secret.ts';
import { slotText } from '../../slot-text.ts';

const MINUTES = 5;

export const connect = defineCommand({
  path: ['provider', 'connect'],
  summary:
    'Connect a provider that wants OAuth: prints where to say yes, waits for the answer on this machine',
  args: [{ name: 'id', summary: 'The provider' }],
  options: [
    { name: 'user', value: 'name', summary: 'For this caller, where each has its own' },
    { name: 'scope', value: 'scopes', summary: 'Besides what the provider asks for', many: true },
    {
      name: 'client-id',
      value: 'id',
      summary: 'Under which Sluice is registered there, or the address of its metadata',
    },
    { name: 'client-secret', summary: 'It has a secret; read it from standard input' },
    { name: 'port', value: 'number', summary: 'Wait at this port, where the server wants a fixed one' },
    { name: 'open', summary: 'Also show the address in the browser' },
    { name: 'wait', value: 'seconds', summary: `How long to wait; ${MINUTES * 60} if left out` },
  ],
  examples: ['provider connect tracker', 'provider connect tracker --user alice --open'],
  async run({ withHome, home, output }, input) {
    const { connectProvider } = await import('../../../app/connect-provider.ts');
    const provider = textOf(input, 'id') ?? '';
    const clientSecret = await clientSecretOf(input, output);
    const answer = await withHome(async (client) => {
      const connected = await connectProvider(client, {
        home,
        provider,
        user: textOf(input, 'user'),
        scopes: listOf(input, 'scope')?.flatMap((text) => text.split(' ')) ?? [],
        clientId: textOf(input, 'client-id'),
        clientSecret,
        port: numberOf(input, 'port'),
        opens: flagOf(input, 'open'),
        timeoutMs: (numberOf(input, 'wait') ?? MINUTES * 60) * 1_000,
        onUrl: (url, redirectUri) => {
          output.talk(`Say yes here; the answer goes to ${redirectUri} on this machine:`);
          output.talk(url);
        },
      });
      // One that could not be asked for want of this is asked now.
      const { state } = await client.call('provider.inspect', { id: provider });
      if (state === 'REGISTERED') await client.call('provider.discover', { id: provider });
      return connected;
    });
    output.data(answer, () => `${provider} is connected: ${slotText(answer)}, by ${answer.issuer}`);
  },
});

async function clientSecretOf(input: CommandInput, output: Output): Promise<string | undefined> {
  if (!flagOf(input, 'client-secret')) return undefined;
  if (textOf(input, 'client-id') === undefined) throw invalidInput('--client-secret', 'needs --client-id');
  return readSecret(output, "The client's secret");
}
