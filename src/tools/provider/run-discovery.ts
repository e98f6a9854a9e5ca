/** Connects to a provider once, notes what it shows or why it could not be asked, and says how it stands then. */
import { z } from 'zod';
import { maskForPeople } from '../../domain/providers/firewall/mask-for-people.ts';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { SluiceError } from '../../kernel/errors.ts';
import type { ProviderFamilyMeans } from './means.ts';
import {
  driftFacts,
  driftOf,
  factsOf,
  idArgument,
  providerFacts,
  toolFacts,
  toolsOf,
} from './provider-shape.ts';
import { restFacts, restOf } from './rest-shape.ts';

const SAID_SHOWN = 2_000;

/** What tools that discover share. */
export const DISCOVERY = {
  effect: 'external_side_effect',
  limits: { timeoutMs: 90_000, outputBytes: 4 * 1024 * 1024 },
  example: { id: 'files' },
  input: z.object({ id: idArgument }),
  output: z.object({
    ...providerFacts,
    tools: z.array(toolFacts),
    ...restFacts,
    findings: z.array(z.string()),
    drift: z.array(driftFacts),
    failure: z.string().optional().describe('Why it could not be asked, where it could not'),
    stderr: z
      .string()
      .optional()
      .describe('Where it could not be connected to: the end of what its program said'),
  }),
} as const;

export async function runDiscovery(
  use: ProviderFamilyMeans,
  id: string,
  /** Whose credentials it is asked with. */
  user: string,
): Promise<z.input<typeof DISCOVERY.output>> {
  await use.act('provider.begin_discovery', { id });
  const provider = use.directory.find(id);
  if (!provider) throw new SluiceError('not_found', `There is no provider "${id}"`, { field: 'id' });
  let failure: string | undefined;
  try {
    const surface = await use.live.discover(provider, user);
    await use.act('provider.note_discovery', { id, surface });
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    failure = error.message;
    await use.act('provider.note_discovery', { id, failure, kind: error.kind });
  }
  const now = use.directory.find(id) ?? provider;
  const findings = now.findings.map(
    ({ about, field, problem, severity }) => `${severity}: ${about} ${field} ${problem}`,
  );
  const stderr = failure !== undefined ? maskForPeople(use.live.status(id).stderr).slice(-SAID_SHOWN) : '';
  return {
    ...factsOf(now),
    tools: toolsOf(now),
    ...restOf(now),
    findings,
    drift: driftOf(now),
    ...(failure !== undefined && { failure }),
    ...(stderr !== '' && { stderr }),
  };
}
