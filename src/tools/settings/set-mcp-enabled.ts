/** The off switch. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { setEnabled } from '../../domain/governance/manage-policy.ts';
import type { SettingsMeans } from './means.ts';

export const setMcpEnabled = defineTool({
  ...OWNER_ONLY,
  name: 'set_mcp_enabled',
  title: 'Switch on or off',
  summary: 'Switches everything on or off at once: lists, calls and streams. It stays so over restarts.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'setting', contentArgument: 'enabled', derivation: 'none' },
  example: { enabled: false },
  input: z.object({ enabled: z.boolean() }),
  output: z.object({ enabled: z.boolean() }),
  async handler(use: SettingsMeans, input, call) {
    const settings = await setEnabled(use, call.ticket, input.enabled);
    return { enabled: settings.mcp_enabled };
  },
});
