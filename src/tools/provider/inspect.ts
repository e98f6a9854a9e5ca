/** One provider with everything about it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { loadProvider } from '../../domain/providers/move-provider.ts';
import { custodyFacts, custodyFactsOf } from './custody-shape.ts';
import type { ProviderFamilyMeans } from './means.ts';
import {
  driftFacts,
  driftOf,
  factsOf,
  idArgument,
  OWNER_OF_PROVIDERS,
  providerFacts,
  toolFacts,
  toolsOf,
} from './provider-shape.ts';
import { restFacts, restOf } from './rest-shape.ts';

const MOVES_SHOWN = 50;

export const inspect = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.inspect',
  title: 'Inspect a provider',
  summary: 'One provider with its tools, pins, findings, drift, processes and the history of its states.',
  effect: 'read_only',
  limits: { outputBytes: 4 * 1024 * 1024 },
  example: { id: 'files' },
  input: z.object({ id: idArgument }),
  output: z.object({
    ...providerFacts,
    protocol: z.string().nullable(),
    instructions: z.string().nullable(),
    tools: z.array(toolFacts),
    ...restFacts,
    findings: z.array(z.string()),
    drift: z.array(driftFacts),
    admission: z
      .array(z.object({ check: z.string(), outcome: z.string(), detail: z.string(), at: z.string() }))
      .describe('What was proven of a server on the network when it was last discovered'),
    credential: custodyFacts,
    connected: z.boolean(),
    processes: z.array(z.int()),
    failures: z.int(),
    kept_results: z.object({ results: z.int(), bytes: z.int() }),
    unconfirmed: z.array(z.object({ call_id: z.string(), tool: z.string(), at: z.string(), by: z.string() })),
    stale_since: z.string().nullable(),
    connections: z.int(),
    moves: z.array(
      z.object({
        at: z.string(),
        from: z.string().nullable(),
        to: z.string(),
        reason_code: z.string(),
        reason: z.string(),
        actor: z.string(),
      }),
    ),
  }),
  async handler(use: ProviderFamilyMeans, { id }, call) {
    const provider = await loadProvider(use, call.read, id);
    const { connected, processes, failures, connections } = use.live.status(id);
    const staleSince = use.live.staleSince(id);
    const moves = await use.providers.moves(call.read, id, MOVES_SHOWN);
    const kept = await use.answers.usage(call.read, id);
    const unconfirmed = await use.unconfirmed(call.read, id);
    const surface = provider.seen ?? provider.admitted;
    return {
      ...factsOf(provider),
      protocol: surface?.revision ?? null,
      instructions: surface?.instructions ?? null,
      tools: toolsOf(provider),
      ...restOf(provider),
      findings: provider.findings.map(
        ({ about, field, problem, severity }) => `${severity}: ${about} ${field} ${problem}`,
      ),
      drift: driftOf(provider),
      admission: (provider.profile.admission ?? []).map((one) => ({
        ...one,
        at: new Date(one.at).toISOString(),
      })),
      credential: custodyFactsOf(use.credentials(provider.profile)),
      connected,
      processes: [...processes],
      failures,
      kept_results: { results: kept.answers, bytes: kept.bytes },
      unconfirmed: unconfirmed.map(({ call: call_id, tool, at, by }) => ({
        call_id,
        tool,
        at: new Date(at).toISOString(),
        by,
      })),
      stale_since: staleSince === null ? null : new Date(staleSince).toISOString(),
      connections,
      moves: moves.map(({ at, from, to, reasonCode, reason, actor }) => ({
        at: new Date(at).toISOString(),
        from,
        to,
        reason_code: reasonCode,
        reason,
        actor,
      })),
    };
  },
});
