/** The port the server listens on. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { changeSetting } from '../../domain/governance/manage-policy.ts';
import { clampPort } from '../../domain/governance/settings.ts';
import type { SettingsMeans } from './means.ts';

export const setMcpPort = defineTool({
  ...OWNER_ONLY,
  name: 'set_mcp_port',
  title: 'Set the port',
  summary: 'Sets the port that the server listens on from its next start; it is clamped to 1024–65535.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'setting', contentArgument: 'port', derivation: 'none' },
  example: { port: 7862 },
  input: z.object({ port: z.int() }),
  output: z.object({ port: z.int() }),
  async handler(use: SettingsMeans, input, call) {
    const settings = await changeSetting(use, call.ticket, 'mcp_port', clampPort(input.port));
    return { port: settings.mcp_port };
  },
});
