/** Client libraries that others wrote, each with as much as it has of: list, call, read, follow, give up. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { importPeer, peerProgram } from './peers.ts';

export interface Reached {
  readonly url: string;
  readonly token: string;
  /** Where a program may keep its own settings. */
  readonly folder: string;
}

export interface LibraryClient {
  tools(): Promise<readonly string[]>;
  call(name: string, input: object, signal?: AbortSignal): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  /** Calls back for each change of the resource that it is told. */
  readonly follow?: (uri: string, told: () => void) => Promise<unknown>;
  close(): Promise<void>;
}

export interface Library {
  readonly name: string;
  /** Has a way to follow a resource. */
  readonly follows: boolean;
  /** Has a way to give a call up that reaches the server. */
  readonly givesUp: boolean;
  /** Keeps a session, which a server that was started again does not know. */
  readonly hasSession: boolean;
  connect(to: Reached): Promise<LibraryClient>;
}

const info = { name: 'library', version: '1.0.0' };
const headersOf = ({ token }: Reached): { Authorization: string } => ({ Authorization: `Bearer ${token}` });

/** As much of the older SDK's client as is used. */
interface OldClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: object, schema?: undefined, options?: { signal?: AbortSignal }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  setNotificationHandler(schema: unknown, told: () => void): void;
  close(): Promise<void>;
}

const sdkOfSessions: Library = {
  name: 'the SDK of sessions',
  follows: true,
  givesUp: true,
  hasSession: true,
  async connect(to) {
    const { Client: OldClient } = await importPeer<{ Client: new (info: object) => OldClient }>(
      '@modelcontextprotocol/sdk/client/index.js',
    );
    const { StreamableHTTPClientTransport: OldTransport } = await importPeer<{
      StreamableHTTPClientTransport: new (url: URL, options: object) => unknown;
    }>('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { ResourceUpdatedNotificationSchema } = await importPeer<{
      ResourceUpdatedNotificationSchema: unknown;
    }>('@modelcontextprotocol/sdk/types.js');
    const client = new OldClient(info);
    await client.connect(new OldTransport(new URL(to.url), { requestInit: { headers: headersOf(to) } }));
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, input, signal) =>
        client.callTool({ name, arguments: input }, undefined, signal ? { signal } : {}),
      read: (uri) => client.readResource({ uri }),
      follow: (uri, told) => {
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, told);
        return client.subscribeResource({ uri });
      },
      close: () => client.close(),
    };
  },
};

function wrap(client: Client, era: 'legacy' | 'auto'): LibraryClient {
  const follow: LibraryClient['follow'] = (uri, told) => {
    client.setNotificationHandler('notifications/resources/updated', told);
    return client.subscribeResource({ uri });
  };
  return {
    ...(era === 'legacy' && { follow }),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, input, signal) =>
      client.callTool({ name, arguments: input as Record<string, unknown> }, signal ? { signal } : {}),
    read: (uri) => client.readResource({ uri }),
    close: () => client.close(),
  };
}

const successor: Library = {
  name: 'its successor, left to itself',
  follows: false,
  givesUp: true,
  hasSession: false,
  async connect(to) {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: headersOf(to) };
    await client.connect(new StreamableHTTPClientTransport(new URL(to.url), { requestInit }));
    return wrap(client, 'auto');
  },
};

const mcpRemote = (mode: 'legacy' | 'auto'): Library => ({
  name: `mcp-remote for a client of mode ${mode}`,
  follows: mode === 'legacy',
  // It passes the newer era's messages on as they are, but does not close the request, which is how that era gives up.
  givesUp: mode === 'legacy',
  hasSession: true,
  async connect(to) {
    const client = new Client(info, { versionNegotiation: { mode } });
    const header = ['--header', `Authorization:${headersOf(to).Authorization}`];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [peerProgram('mcp-remote'), to.url, '--allow-http', '--transport', 'http-only', ...header],
      env: { ...process.env, HOME: to.folder, MCP_REMOTE_CONFIG_DIR: `${to.folder}/mcp-remote` } as Record<
        string,
        string
      >,
      stderr: 'ignore',
    });
    await client.connect(transport);
    return wrap(client, mode);
  },
});

const aiSdk: Library = {
  name: 'the AI SDK',
  follows: false,
  givesUp: true,
  hasSession: true,
  async connect(to) {
    interface AiTool {
      execute(input: object, options: object): Promise<unknown>;
    }
    interface AiClient {
      tools(): Promise<Record<string, AiTool>>;
      readResource(args: { uri: string }): Promise<unknown>;
      close(): Promise<void>;
    }
    const { createMCPClient } = await importPeer<{ createMCPClient(options: object): Promise<AiClient> }>(
      '@ai-sdk/mcp',
    );
    const client = await createMCPClient({
      transport: { type: 'http', url: to.url, headers: headersOf(to) },
    });
    const tools = await client.tools();
    return {
      tools: async () => Object.keys(await client.tools()),
      call: async (name, input, abortSignal) =>
        tools[name]?.execute(input, { messages: [], toolCallId: '1', abortSignal }),
      read: (uri) => client.readResource({ uri }),
      close: () => client.close(),
    };
  },
};

const langChain: Library = {
  name: 'LangChain',
  follows: false,
  givesUp: true,
  hasSession: true,
  async connect(to) {
    interface LangTool {
      readonly name: string;
      invoke(input: object, options: { signal?: AbortSignal }): Promise<unknown>;
    }
    interface LangClient {
      getTools(): Promise<LangTool[]>;
      readResource(server: string, uri: string): Promise<unknown>;
      close(): Promise<void>;
    }
    const { MultiServerMCPClient } = await importPeer<{
      MultiServerMCPClient: new (options: object) => LangClient;
    }>('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { sluice: { transport: 'http', url: to.url, headers: headersOf(to) } },
    });
    const tools = await client.getTools();
    return {
      tools: async () => (await client.getTools()).map(({ name }) => name),
      call: async (name, input, signal) =>
        tools.find((tool) => tool.name === name)?.invoke(input, signal ? { signal } : {}),
      read: (uri) => client.readResource('sluice', uri),
      close: () => client.close(),
    };
  },
};

export const LIBRARIES: readonly Library[] = [
  sdkOfSessions,
  successor,
  aiSdk,
  langChain,
  mcpRemote('legacy'),
  mcpRemote('auto'),
];
