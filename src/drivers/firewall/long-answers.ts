/** Long answers are looked at in a thread of their own: a megabyte takes a tenth of a second, and others wait for nothing. */
import type { FirewallRules } from '../../domain/providers/firewall/rules.ts';
import type { Inspection } from '../../domain/providers/firewall/verdict.ts';
import type { LongAnswers } from '../../domain/providers/ports/long-answers.ts';
import { createWorkerClient } from '../workers/worker-client.ts';
import type { InspectRequest } from './worker-messages.ts';

const IDLE_MS = 60_000;

export function createLongAnswers(): LongAnswers & { close(): Promise<void> } {
  const worker = createWorkerClient<InspectRequest, Inspection>({
    file: new URL('./worker.ts', import.meta.url),
    idleMs: IDLE_MS,
    gone: 'The firewall stopped before it had looked at the answer, which is therefore not passed on',
  });
  let known: { readonly rules: FirewallRules; readonly generation: number } | undefined;
  return {
    inspect(rules, { trust, allowedHosts }, result, before) {
      const { generation } = worker;
      const isKnown = known?.rules === rules && known.generation === generation;
      known = { rules, generation };
      return worker.ask({
        ...(!isKnown && { rules: rules.document }),
        profile: { trust, ...(allowedHosts && { allowedHosts }) },
        result,
        before,
      });
    },
    close: () => worker.close(),
  };
}
