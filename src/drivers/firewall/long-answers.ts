/** Long answers are looked at in a thread of their own: a megabyte takes a tenth of a second, and others wait for nothing. */
import type { FirewallRules } from '../../domain/providers/firewall/rules.ts';
import type { Inspection } from '../../domain/providers/firewall/verdict.ts';
import type { LongAnswers } from '../../domain/providers/ports/long-answers.ts';
import { createWorkerClient } from '../workers/worker-client.ts';
import { WaitingLine } from './waiting-line.ts';
import type { InspectRequest } from './worker-messages.ts';

const IDLE_MS = 60_000;
const MEMORY_MB = 1_024;

export function createLongAnswers(): LongAnswers & { close(): Promise<void> } {
  const worker = createWorkerClient<InspectRequest, Inspection>({
    file: new URL('./worker.ts', import.meta.url),
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
    gone: 'The firewall stopped before it had looked at the answer, which is therefore not passed on',
  });
  const line = new WaitingLine();
  let known: { readonly rules: FirewallRules; readonly generation: number } | undefined;
  return {
    inspect: ({ rules, profile: { id, trust, allowedHosts }, result, before, signal }) =>
      line.take(
        id,
        () => {
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
        signal,
      ),
    close: () => worker.close(),
  };
}
