/** What the tools that find other tools have in common. */

import type { Tool } from '../../catalogue/tool-definition.ts';
import { describeTool } from '../../catalogue/wire-tool.ts';
import { estimateTokens } from '../../domain/workspace/token-budget.ts';

/** They tell callers about their own list, so they need no right and no workspace. */
export const FINDS = { scopes: [], needsWorkspace: false, finds: true } as const;

/** About what the tool costs in a list. */
export const tokensOf = (tool: Tool): number => estimateTokens(JSON.stringify(describeTool(tool, 'dotted')));
