/** Lists providers. */
import { defineCommand } from '../../command.ts';
import { table } from '../../output.ts';
import type { ShownProvider } from '../../provider-report.ts';

export const list = defineCommand({
  path: ['provider', 'list'],
  summary: 'List upstream MCP servers with their states',
  examples: ['provider list', 'provider list --json'],
  async run({ call, output }) {
    const answer = await call('provider.list', {});
    output.data(answer, () => {
      const providers = answer.providers as (ShownProvider & {
        readonly allowed_tools: readonly string[];
        readonly stale: boolean;
      })[];
      if (providers.length === 0) return 'No providers yet; "sluice provider add" adds one';
      const rows = providers.map(({ id, state, stale, trust_tier, allowed_tools, reason }) => [
        id,
        stale ? `${state} (stale)` : state,
        trust_tier,
        String(allowed_tools.length),
        reason,
      ]);
      return table(['ID', 'STATE', 'TRUST', 'TOOLS', 'REASON'], rows);
    });
  },
});
