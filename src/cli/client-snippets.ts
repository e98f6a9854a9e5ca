/** Ready-made configuration for the clients people use. */
export const CLIENT_KINDS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'codex',
  'gemini',
  'windsurf',
  'other',
] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export interface Connection {
  readonly url: string;
  readonly token: string;
  /** The command line that starts Sluice, for clients that only speak stdio. */
  readonly command: string;
  readonly name: string;
  readonly home: string;
}

export interface Snippet {
  /** Where it goes. */
  readonly where: string;
  readonly text: string;
}

/** Claude Desktop starts its servers itself and needs no token. */
export const needsToken = (kind: ClientKind): boolean => kind !== 'claude-desktop';

/** Cursor looks at forty tools and drops the others without a word. */
export const longestList = (kind: ClientKind): { readonly cap?: number } =>
  kind === 'cursor' ? { cap: 40 } : {};

export function snippetFor(kind: ClientKind, to: Connection): Snippet {
  const headers = { Authorization: `Bearer ${to.token}` };
  switch (kind) {
    case 'claude-code':
      return {
        where: 'run this in a terminal',
        text: `claude mcp add --transport http sluice ${to.url} --header "Authorization: Bearer ${to.token}"`,
      };
    case 'claude-desktop':
      return {
        where: 'claude_desktop_config.json',
        text: pretty({
          mcpServers: {
            sluice: { command: to.command, args: ['mcp', '--client', to.name, '--home', to.home] },
          },
        }),
      };
    case 'cursor':
      return {
        where: '.cursor/mcp.json',
        text: pretty({ mcpServers: { sluice: { url: to.url, headers } } }),
      };
    case 'vscode':
      return {
        where: '.vscode/mcp.json',
        text: pretty({ servers: { sluice: { type: 'http', url: to.url, headers } } }),
      };
    case 'codex':
      return {
        where: '~/.codex/config.toml',
        text: `[mcp_servers.sluice]\nurl = "${to.url}"\nhttp_headers = { Authorization = "Bearer ${to.token}" }`,
      };
    case 'gemini':
      return {
        where: '~/.gemini/settings.json',
        text: pretty({ mcpServers: { sluice: { httpUrl: to.url, headers } } }),
      };
    case 'windsurf':
      return {
        where: '~/.codeium/windsurf/mcp_config.json',
        text: pretty({ mcpServers: { sluice: { serverUrl: to.url, headers } } }),
      };
    case 'other':
      return {
        where: 'any client of MCP over Streamable HTTP',
        text: `URL: ${to.url}\nAuthorization: Bearer ${to.token}`,
      };
  }
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
