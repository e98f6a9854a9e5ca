/** Switches single tools off and on. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { noSuchTool } from '../../domain/governance/likely-typos.ts';
import { setToolEnabled as set } from '../../domain/governance/manage-policy.ts';
import type { SettingsMeans } from './means.ts';

export const setToolEnabled = defineTool({
  ...OWNER_ONLY,
  name: 'set_tool_enabled',
  title: 'Switch a tool on or off',
  summary: 'Switches a tool, or all that fit a pattern, on or off for everybody, whatever else allows them.',
  scopes: ['settings.manage'],
  effect: 'local_side_effect',
  idempotent: true,
  write: { kind: 'setting', contentArgument: 'tool', derivation: 'none' },
  example: { tool: 'delete_page', enabled: false },
  input: z.object({
    tool: z.string().max(128).describe('A name or a pattern such as "sandbox.*"'),
    enabled: z.boolean(),
  }),
  output: z.object({ disabled_tools: z.array(z.string()), warnings: z.array(z.string()) }),
  async handler(use: SettingsMeans, input, call) {
    const settings = await set(use, call.ticket, input.tool, input.enabled);
    const warnings = noSuchTool(input.tool, use.known());
    return { disabled_tools: [...settings.disabled_tools], warnings };
  },
});
