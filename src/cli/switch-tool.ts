/** The off switch, for everything or for one tool. */
import type { CliContext } from './context.ts';

export async function switchTool(
  context: CliContext,
  enabled: boolean,
  tool: string | undefined,
): Promise<void> {
  const state = enabled ? 'on' : 'off';
  if (tool === undefined) {
    const answer = await context.call('set_mcp_enabled', { enabled });
    context.output.data(answer, () => `Sluice is switched ${state}`);
    return;
  }
  const answer = await context.call('set_tool_enabled', { tool, enabled });
  context.output.data(answer, () => `"${tool}" is switched ${state}`);
  for (const warning of answer.warnings as string[]) context.output.note(`Warning: ${warning}`);
}
