/** Runs or asks an upstream server once, reads what it shows and ends it again. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { UpstreamFailure } from '../../domain/providers/ports/upstream.ts';
import { SluiceError } from '../../kernel/errors.ts';
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

export const discover = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.discover',
  title: 'Discover a provider',
  summary:
    'Connects to the provider, reads everything it shows, and says what is odd about it. Nothing of it can be called before provider.review.',
  effect: 'external_side_effect',
  limits: { timeoutMs: 90_000, outputBytes: 4 * 1024 * 1024 },
  example: { id: 'files' },
  input: z.object({ id: idArgument }),
  output: z.object({
    ...providerFacts,
    tools: z.array(toolFacts),
    findings: z.array(z.string()),
    drift: z.array(driftFacts),
  }),
  async handler(use: ProviderFamilyMeans, { id }, call) {
    await use.act('provider.begin_discovery', { id });
    const provider = use.directory.find(id);
    if (!provider) throw new SluiceError('not_found', `There is no provider "${id}"`, { field: 'id' });
    try {
      const surface = await use.live.discover(provider, call.caller.principal.name);
      await use.act('provider.note_discovery', { id, surface });
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      await use.act('provider.note_discovery', { id, failure: error.message });
    }
    const now = use.directory.find(id) ?? provider;
    const findings = now.findings.map(
      ({ about, field, problem, severity }) => `${severity}: ${about} ${field} ${problem}`,
    );
    return { ...factsOf(now), tools: toolsOf(now), findings, drift: driftOf(now) };
  },
});
