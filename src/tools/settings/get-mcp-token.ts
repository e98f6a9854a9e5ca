/** Shows the owner's token. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { revealOwnerToken } from '../../domain/governance/manage-credentials.ts';
import type { SettingsMeans } from './means.ts';

export const getMcpToken = defineTool({
  ...OWNER_ONLY,
  name: 'get_mcp_token',
  title: 'Show the owner token',
  summary: "Shows the owner's token. Over MCP it speaks as the author; give clients tokens of their own.",
  scopes: ['settings.manage'],
  effect: 'sensitive_read',
  example: {},
  input: z.object({}),
  output: z.object({ token: z.string() }),
  async handler(use: SettingsMeans) {
    return { token: revealOwnerToken(use) };
  },
});
