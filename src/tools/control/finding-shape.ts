/** What the tools that find other tools have in common. */
import { z } from 'zod';
import { staleSince } from '../../catalogue/stale-mark.ts';
import type { Tool } from '../../catalogue/tool-definition.ts';
import { describeTool } from '../../catalogue/wire-tool.ts';
import { estimateTokens } from '../../domain/workspace/token-budget.ts';

/** They tell callers about their own list, so they need no right and no workspace. */
export const FINDS = { scopes: [], needsWorkspace: false, finds: true } as const;

/** About what the tool costs in a list. */
export const tokensOf = (tool: Tool): number => estimateTokens(JSON.stringify(describeTool(tool, 'dotted')));

/** Only of what is stale, since that is rare and every word costs. */
export const STALE_SINCE = {
  stale_since: z.string().optional().describe('Since when its server cannot be reached; a call may fail'),
};

export function staleness(tool: Tool): { stale_since?: string } {
  const since = staleSince(tool);
  return since === undefined ? {} : { stale_since: since };
}
