/**
 * What the official suite runs as a client: the connections and the OAuth client that Sluice has for its providers, and
 * a person who says yes to everything. Run by Node.js with the address of the suite's server as its last argument.
 */
import { checkSurface } from '../../../src/domain/providers/check-surface.ts';
import { createChallenges } from '../../../src/domain/providers/custody/challenges.ts';
import { createConnections } from '../../../src/domain/providers/custody/connections.ts';
import type { CredentialSlot } from '../../../src/domain/providers/custody/credential-slot.ts';
import { createCustodyDesk } from '../../../src/domain/providers/custody/custody-desk.ts';
import type { Provider } from '../../../src/domain/providers/ports/provider-store.ts';
import { UpstreamFailure, type UpstreamLink } from '../../../src/domain/providers/ports/upstream.ts';
import { DEFAULT_PROVIDER_LIMITS, type ProviderProfile } from '../../../src/domain/providers/profile.ts';
import { nameOf, type Shown } from '../../../src/domain/providers/surface.ts';
import { createOAuthClient } from '../../../src/drivers/mcp-upstream/oauth/oauth-client.ts';
import { createUpstreams } from '../../../src/drivers/mcp-upstream/upstreams.ts';
import { systemClock as clock } from '../../../src/kernel/clock.ts';
import { createIdSource } from '../../../src/kernel/ids.ts';
import { sampleOf } from './sample-of.ts';
import { sayingYes } from './say-yes.ts';

const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Shown }[];
};
const clientId = context.client_id ?? 'https://conformance-test.local/client-metadata.json';

let profile: ProviderProfile = {
  id: 'suite',
  displayName: 'suite',
  transport: { kind: 'streamable_http', url: process.argv.at(-1) ?? '', privateNetwork: false },
  allowedTools: [],
  surfacePin: null,
  trust: 'CONTROLLED_LOCAL',
  credentialRef: null,
  relays: ['elicitation'],
  limits: DEFAULT_PROVIDER_LIMITS,
};
let slot: CredentialSlot | undefined;

const secrets = { seal: (secret: string) => secret, open: (sealed: string) => sealed };
const slots = { all: () => (slot ? [slot] : []), find: () => slot, refresh: async () => undefined };
const oauth = createOAuthClient({ clock });
const challenges = createChallenges();
const keep = async (
  key: Pick<CredentialSlot, 'ref' | 'user'>,
  sealed: string,
  facts: CredentialSlot['facts'],
) => {
  slot = { ref: key.ref, user: key.user, kind: 'oauth', sealed, facts, createdAt: 0, updatedAt: 0 };
  profile = { ...profile, credentialRef: key.ref };
};
const desk = createCustodyDesk({ slots, secrets, clock, oauth, challenges, keep });
const directory = {
  all: () => [],
  find: () => ({ profile }) as Provider,
  refresh: async () => undefined,
  onChange: () => () => undefined,
};
const connections = createConnections({
  directory,
  slots,
  secrets,
  oauth,
  challenges,
  clock,
  ids: createIdSource(clock),
  keep,
});
const upstreams = createUpstreams({ clock, environment: {}, custody: desk });

/** A person who runs `provider connect` and says yes. */
async function connect(): Promise<void> {
  const { id, flow } = await connections.begin({
    provider: profile.id,
    user: undefined,
    redirectUri: 'http://127.0.0.1:49152/callback',
    scopes: [],
    clientId,
    sealedClientSecret: context.client_secret,
  });
  const shown = await fetch(flow.authorizationUrl, { redirect: 'manual' });
  const back = new URL(shown.headers.get('location') ?? '');
  await connections.finish(id, JSON.stringify(Object.fromEntries(back.searchParams)));
}

/** Each consent is asked for once; a server that wants ever more is given up. */
const MAX_CONSENTS = 3;
let consents = 0;

async function withConsent<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const wants = error instanceof UpstreamFailure && error.kind === 'credential';
      if (!wants || consents >= MAX_CONSENTS) throw error;
      consents += 1;
      await connect();
    }
  }
}

/** What the suite wants to see sent, or what the schema says. */
function inputsFor(tool: Shown): readonly Shown[] {
  const wanted = (context.toolCalls ?? []).filter(({ name }) => name === tool.name);
  return wanted.length > 0 ? wanted.map((one) => one.arguments) : [sampleOf(tool.inputSchema) as Shown];
}

const callTool = (link: UpstreamLink, tool: Shown, input: Shown): Promise<Shown> =>
  sayingYes(profile, nameOf(tool), (means) =>
    link.call({ ...means, tool: nameOf(tool), input, timeoutMs: 10_000, mostMs: 10_000 }),
  );

const link = await withConsent(() => upstreams.connect(profile, null));
let open = link;
/** A connection keeps the profile it was made for; one that was connected meanwhile needs another. */
const again = async (): Promise<UpstreamLink> => {
  if (profile.credentialRef === null || open !== link) return open;
  await link.close();
  open = await upstreams.connect(profile, null);
  return open;
};
const surface = await withConsent(async () => (await again()).surface(0));
// As nobody could have admitted them.
const held = new Set(checkSurface(profile.id, surface).map(({ about }) => about));
for (const tool of surface.tools.filter((one) => !held.has(nameOf(one))))
  for (const input of inputsFor(tool)) await withConsent(async () => callTool(await again(), tool, input));
await open.close();
