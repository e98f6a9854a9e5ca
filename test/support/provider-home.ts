/** A running server with one provider that does what a script says, and a client of it. */
import { afterAll, beforeAll } from 'vitest';
import { addClient, asOwner } from './owner.ts';
import { type RunningServer, startServer } from './process.ts';
import {
  BENIGN,
  type Script,
  type ScriptedUpstream,
  scriptedUpstream,
  type Transport,
} from './scripted-upstream.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { modernHttp, namesIn, refusalOf, type Wire } from './wires.ts';

export interface InspectedProvider {
  readonly state: string;
  readonly reason_code: string;
  readonly reason: string;
  readonly tools: readonly {
    readonly name: string;
    readonly pin: string;
    readonly admitted: boolean;
    readonly effect_class: string;
    readonly description: string;
    readonly findings: readonly string[];
  }[];
  readonly findings: readonly string[];
  readonly drift: readonly {
    readonly what: string;
    readonly name: string;
    readonly kind: string;
    readonly fields: readonly { readonly path: string }[];
  }[];
  readonly processes: readonly number[];
}

export interface ProviderHome {
  readonly home: string;
  server(): RunningServer;
  upstream(): ScriptedUpstream;
  client(): Wire;
  /** Of that client. */
  token(): string;
  /** Calls a tool of the provider as the client; the text of its answer, or the code of its refusal. */
  call(tool: string, input?: Record<string, unknown>): Promise<string>;
  /** Names in the client's list that belong to the provider. */
  listed(): Promise<readonly string[]>;
  inspect(): Promise<InspectedProvider>;
  asOwner<T = Record<string, unknown>>(tool: string, input?: Record<string, unknown>): Promise<T>;
  /** Admits everything the provider shows. */
  admit(): Promise<void>;
  restart(): Promise<void>;
  /** As a power cut would end it; then it is started again. */
  killAndStart(): Promise<void>;
}

/** The provider is called `up`; it is added and, unless told otherwise, admitted before the first test. */
export function providerHome(
  transport: Transport,
  script: Script = BENIGN,
  admitted = true,
  /** How it is registered besides where it is. */
  further: Readonly<Record<string, unknown>> = {},
): ProviderHome {
  const home = temporaryFolder();
  let server: RunningServer;
  let upstream: ScriptedUpstream;
  let token: string;
  const client = (): Wire => modernHttp(server.port, token);
  const self: ProviderHome = {
    home,
    server: () => server,
    upstream: () => upstream,
    client,
    token: () => token,
    async call(tool, input = {}) {
      const message = await client().ask('tools/call', { name: `up.${tool}`, arguments: input });
      const refused = refusalOf(message);
      if (refused.code !== undefined) return String(refused.code);
      const [first] = (message.result?.content ?? []) as { readonly text?: string }[];
      return first?.text ?? JSON.stringify(message);
    },
    listed: async () => namesIn(await client().ask('tools/list')).filter((name) => name.startsWith('up.')),
    inspect: () => asOwner<InspectedProvider>(home, 'provider.inspect', { id: 'up' }),
    asOwner: (tool, input) => asOwner(home, tool, input),
    async admit() {
      const review = { id: 'up', admit_all: true, trust: 'CONTROLLED_LOCAL', reason: 'a test' };
      await asOwner(home, 'provider.review', review);
    },
    async killAndStart() {
      await server.kill('SIGKILL');
      server = await startServer(home, { port: server.port });
    },
    async restart() {
      await server.stop();
      server = await startServer(home, { port: server.port });
    },
  };
  beforeAll(async () => {
    server = await startServer(home);
    upstream = await scriptedUpstream(home, transport, script);
    token = await addClient(home, 'caller');
    await asOwner(home, 'provider.register', { id: 'up', ...upstream.target, ...further });
    await asOwner(home, 'provider.discover', { id: 'up' });
    if (admitted) await self.admit();
  });
  afterAll(async () => {
    await server?.stop();
    await upstream?.close();
  });
  return self;
}
