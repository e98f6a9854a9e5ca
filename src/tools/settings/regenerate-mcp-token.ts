/** Makes a new owner's token. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { rotateOwnerToken } from '../../domain/governance/manage-credentials.ts';
import type { SettingsMeans } from './means.ts';

export const regenerateMcpToken = defineTool({
  ...OWNER_ONLY,
  name: 'regenerate_mcp_token',
  title: 'New owner token',
  summary: "Makes a new owner's token; the old one is void at once, also for calls under way.",
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  destructive: true,
  write: { kind: 'credential', derivation: 'none' },
  example: {},
  input: z.object({}),
  output: z.object({ token: z.string() }),
  async handler(use: SettingsMeans, _input, call) {
    return { token: await rotateOwnerToken(use, call.ticket) };
  },
});
