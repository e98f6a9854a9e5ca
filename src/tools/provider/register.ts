/** Registers an upstream server. Nothing runs and nothing is shown to anybody yet. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { RELAYS, type Transport } from '../../domain/providers/profile.ts';
import { registerProvider } from '../../domain/providers/register-provider.ts';
import { invalidInput } from '../../kernel/errors.ts';
import { limitsArgument, limitsOf } from './limits-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import { factsOf, idArgument, OWNER_OF_PROVIDERS, providerFacts } from './provider-shape.ts';

const input = z.object({
  id: idArgument,
  display_name: z.string().max(200).optional().describe('How people call it'),
  command: z
    .array(z.string().max(4_096))
    .max(200)
    .optional()
    .describe('A program and its arguments; no shell'),
  folder: z.string().max(4_096).optional().describe('Where the program is run'),
  isolation: z
    .object({
      read: z.array(z.string().max(4_096)).max(100).default([]).describe('Folders and files it may read'),
      write: z.array(z.string().max(4_096)).max(100).default([]).describe('Folders and files it may change'),
      network: z.boolean().default(false).describe('It may use the network'),
    })
    .optional()
    .describe(
      'Runs the program inside of bubblewrap: with the programs of the system, what is listed, and no more',
    ),
  url: z.string().max(2_000).optional().describe('The address of a server over Streamable HTTP'),
  private_network: z.boolean().default(false).describe('Its address may be one of a private network'),
  same_as: idArgument.optional().describe('A provider that is the same program, for another folder perhaps'),
  limits: limitsArgument,
  relay: z
    .array(z.enum(RELAYS))
    .optional()
    .describe('What it may ask the one who calls for on the way; nothing unless named'),
  credential: z.string().max(300).optional().describe('A reference such as connector://github'),
  credential_per_user: z.boolean().default(false).describe('Each caller has a credential of its own'),
  credential_header: z.string().max(64).default('authorization').describe('In which header it is sent'),
  credential_format: z
    .string()
    .max(200)
    .default('Bearer {}')
    .describe('How it is written there; {} stands for it, {base64} for its base64'),
  environment: z
    .record(z.string(), z.string().max(300))
    .default({})
    .describe("Variables of the program's environment and the credentials they hold, by reference"),
});

export const register = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.register',
  title: 'Register a provider',
  summary:
    'Registers an upstream MCP server by its program or its address. It is not run or asked before provider.discover.',
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  example: { id: 'files', command: ['mcp-server-filesystem', '/srv/docs'] },
  input,
  output: z.object(providerFacts),
  async handler(use: ProviderFamilyMeans, wanted, call) {
    const provider = await registerProvider(use, call.ticket, {
      id: wanted.id,
      displayName: wanted.display_name,
      transport: transportOf(wanted),
      limits: limitsOf(wanted.limits),
      relays: wanted.relay,
      sameAs: wanted.same_as,
      credentialRef: wanted.credential,
      custody: {
        perUser: wanted.credential_per_user,
        header: wanted.credential_header,
        format: wanted.credential_format,
        environment: wanted.environment,
      },
    });
    return factsOf(provider);
  },
});

function transportOf({
  command,
  folder,
  isolation,
  url,
  private_network,
}: z.output<typeof input>): Transport {
  if ((command === undefined) === (url === undefined))
    throw invalidInput('command', 'or "url" must be given, and not both');
  if (url !== undefined && isolation) throw invalidInput('isolation', 'is for programs, and "url" is none');
  if (url !== undefined) return { kind: 'streamable_http', url, privateNetwork: private_network };
  const [program = '', ...args] = command ?? [];
  return {
    kind: 'stdio_command',
    command: program,
    args,
    folder: folder ?? null,
    ...(isolation && { isolation: { kind: 'bwrap', ...isolation } }),
  };
}
