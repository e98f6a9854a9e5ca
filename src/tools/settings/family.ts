/** The settings family: the owner's switches and token. */
import { defineFamily } from '../../catalogue/family.ts';
import { getMcpStatus } from './get-mcp-status.ts';
import { getMcpToken } from './get-mcp-token.ts';
import type { SettingsMeans } from './means.ts';
import { regenerateMcpToken } from './regenerate-mcp-token.ts';
import { setMcpEnabled } from './set-mcp-enabled.ts';
import { setMcpPort } from './set-mcp-port.ts';
import { setToolEnabled } from './set-tool-enabled.ts';
import { setTrashRetention } from './set-trash-retention.ts';

export const settingsFamily = defineFamily<SettingsMeans>('settings', {
  tools: [
    getMcpStatus,
    getMcpToken,
    setMcpEnabled,
    regenerateMcpToken,
    setToolEnabled,
    setMcpPort,
    setTrashRetention,
  ],
});
