/** How the server stands. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import type { SettingsMeans } from './means.ts';

export const getMcpStatus = defineTool({
  ...OWNER_ONLY,
  name: 'get_mcp_status',
  title: 'Server status',
  summary: 'Says whether the server runs, where, and how it is set. Never the token.',
  scopes: ['settings.read'],
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({
    running: z.boolean(),
    enabled: z.boolean(),
    url: z.string().nullable(),
    port: z.int(),
    workspace: z.string().nullable(),
    read_only: z.boolean().describe('Nobody changes anything in that workspace'),
    version: z.string(),
    store: z.string(),
    home: z.string(),
    uptime_s: z.int(),
    sessions: z.int(),
    disabled_tools: z.array(z.string()),
    clients: z.int(),
  }),
  async handler(use: SettingsMeans, _input, call) {
    const { settings, credentials } = use.state.current();
    return {
      ...use.status(),
      enabled: settings.mcp_enabled,
      port: settings.mcp_port,
      workspace: use.currentWorkspace(),
      read_only: await use.isReadOnly(call.read),
      disabled_tools: [...settings.disabled_tools],
      clients: credentials.filter((known) => known.kind === 'client' && known.revokedAt === null).length,
    };
  },
});
