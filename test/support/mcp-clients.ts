/** Real MCP clients of both eras, over HTTP and over standard input and output. */
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SLUICE } from './process.ts';

export type Era = 'modern' | 'legacy';

const newClient = (era: Era, capabilities: ClientCapabilities = {}): Client =>
  new Client(
    { name: 'sluice-tests', version: '1.0.0' },
    { capabilities, versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
  );

/** A client that can be asked, and answers as a person, a model and a folder list would. */
export function askableClient(era: Era): Client {
  const client = newClient(era, { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} });
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada', ok: true, color: 'green', response: 'yes' },
  }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'none',
    content: { type: 'text', text: 'Paris' },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///srv' }] }));
  return client;
}

export async function connectHttp(
  url: string,
  token: string,
  era: Era,
  client: Client = newClient(era),
): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

export async function connectStdio(
  home: string,
  name: string,
  era: Era,
  args: readonly string[] = [],
  client: Client = newClient(era),
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: SLUICE,
    args: ['mcp', '--client', name, '--home', home, ...args],
    stderr: 'inherit',
  });
  await client.connect(transport);
  return client;
}

/** A request of the modern era by hand, for what no client would send. */
export function modernRequest(
  method: string,
  params: Record<string, unknown>,
  id: number | string = 1,
): { body: Record<string, unknown>; headers: Record<string, string> } {
  const name = params.name ?? params.uri;
  return {
    body: {
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
          ...((params._meta as Record<string, unknown> | undefined) ?? {}),
        },
      },
    },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
    },
  };
}

/** What a header cannot carry as it is goes as base64 of its UTF-8. */
export const headerText = (text: string): string =>
  /^(?!=\?base64\?)[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
