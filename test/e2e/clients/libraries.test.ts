/** Client libraries that others wrote: the SDK of sessions, its successor, the AI SDK, LangChain, and mcp-remote. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../support/fixture-server.ts';
import { addClient, asOwner } from '../../support/owner.ts';
import { importPeer, peerProgram } from '../../support/peers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const home = temporaryFolder();
let server: FixtureServer;
let headers: { Authorization: string };
const url = (): string => `http://127.0.0.1:${server.port}/mcp`;
const URI = 'sluice://workspace/page/hello';

beforeAll(async () => {
  server = await startFixtureServer(home);
  headers = { Authorization: `Bearer ${await addClient(home, 'library')}` };
  await asOwner(home, 'create_page', { title: 'Hello', content: 'Hello, world' });
});
afterAll(() => server.close());

/** As much of either SDK's client as both have. */
interface SdkClient {
  connect(transport: unknown): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(
    params: { name: string; arguments: object },
    schema?: undefined,
    options?: { signal: AbortSignal },
  ): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  subscribeResource(params: { uri: string }): Promise<unknown>;
  close(): Promise<void>;
}

type NewClient = new (info: object, options?: object) => SdkClient;
type NewTransport = new (url: URL, options: object) => unknown;

const info = { name: 'library', version: '1.0.0' };

async function readsAndCalls(client: SdkClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('read_page');
  const called = await client.callTool({ name: 'read_page', arguments: { page: 'hello' } });
  expect(called).toMatchObject({ structuredContent: { title: 'Hello' } });
  const read = await client.readResource({ uri: URI });
  expect(read).toMatchObject({ contents: [{ uri: URI, text: 'Hello, world' }] });
}

async function cancels(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const before = server.seen.length;
  const giveUp = new AbortController();
  const calling = call(giveUp.signal);
  await expect.poll(() => server.seen.length).toBe(before + 1);
  giveUp.abort();
  await expect(calling).rejects.toThrow();
  await expect
    .poll(async () => {
      const { records } = await asOwner<{ records: { error_code?: string }[] }>(home, 'audit.list', {
        tool_name: 'fixture.wait',
        limit: 1,
      });
      return records[0]?.error_code;
    })
    .toBe('cancelled');
}

const wait = { name: 'fixture.wait', arguments: { ms: 4_000 } };

describe('[PROTO-17] the SDK of sessions', () => {
  it('lists, calls, reads, follows and gives up', async () => {
    const { Client: OldClient } = await importPeer<{ Client: NewClient }>(
      '@modelcontextprotocol/sdk/client/index.js',
    );
    const { StreamableHTTPClientTransport: OldTransport } = await importPeer<{
      StreamableHTTPClientTransport: NewTransport;
    }>('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const client = new OldClient(info);
    await client.connect(new OldTransport(new URL(url()), { requestInit: { headers } }));
    await readsAndCalls(client);
    await client.subscribeResource({ uri: URI });
    await cancels((signal) => client.callTool(wait, undefined, { signal }));
    await client.close();
  });
});

describe('[PROTO-17] its successor, left to itself', () => {
  it('finds the newest revision, lists, calls, reads and gives up', async () => {
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url()), { requestInit: { headers } }));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    await readsAndCalls(client as unknown as SdkClient);
    await cancels((signal) => client.callTool(wait, { signal }));
    await client.close();
  });
});

describe('[PROTO-17] the AI SDK', () => {
  it('offers the tools to a model and runs one', async () => {
    interface AiTool {
      execute(input: object, options: object): Promise<unknown>;
    }
    interface AiClient {
      tools(): Promise<Record<string, AiTool>>;
      readResource(args: { uri: string }): Promise<unknown>;
      close(): Promise<void>;
    }
    const { createMCPClient } = await importPeer<{
      createMCPClient(options: object): Promise<AiClient>;
    }>('@ai-sdk/mcp');
    const client = await createMCPClient({ transport: { type: 'http', url: url(), headers } });
    const tools = await client.tools();
    const answer = await tools.read_page?.execute({ page: 'hello' }, { messages: [], toolCallId: '1' });
    expect(JSON.stringify(answer)).toContain('Hello, world');
    expect(JSON.stringify(await client.readResource({ uri: URI }))).toContain('Hello, world');
    await client.close();
  });
});

describe('[PROTO-17] LangChain', () => {
  it('offers the tools to a model and runs one', async () => {
    interface LangTool {
      readonly name: string;
      invoke(input: object): Promise<unknown>;
    }
    interface LangClient {
      getTools(): Promise<LangTool[]>;
      close(): Promise<void>;
    }
    const { MultiServerMCPClient } = await importPeer<{
      MultiServerMCPClient: new (options: object) => LangClient;
    }>('@langchain/mcp-adapters');
    const client = new MultiServerMCPClient({
      mcpServers: { sluice: { transport: 'http', url: url(), headers } },
    });
    const tools = await client.getTools();
    const read = tools.find(({ name }) => name === 'read_page');
    expect(JSON.stringify(await read?.invoke({ page: 'hello' }))).toContain('Hello, world');
    await client.close();
  });
});

describe('[PROTO-17] mcp-remote', () => {
  it.each(['legacy', 'auto'] as const)('carries a %s client from stdio to HTTP', async (mode) => {
    const client = new Client(info, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        peerProgram('mcp-remote'),
        url(),
        '--allow-http',
        '--transport',
        'http-only',
        '--header',
        `Authorization:${headers.Authorization}`,
      ],
      env: { ...process.env, HOME: home, MCP_REMOTE_CONFIG_DIR: `${home}/mcp-remote` } as Record<
        string,
        string
      >,
      stderr: 'ignore',
    });
    await client.connect(transport);
    await readsAndCalls(client as unknown as SdkClient);
    await client.close();
  });
});
