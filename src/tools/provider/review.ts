/** The owner's decision about what was discovered: these tools, as they were shown, are let in. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { changeTrust } from '../../domain/providers/change-trust.ts';
import type { Provider } from '../../domain/providers/ports/provider-store.ts';
import { EFFECT_CLASSES, RELAYS, TRUST_TIERS } from '../../domain/providers/profile.ts';
import { type Dropped, reviewProvider } from '../../domain/providers/review-provider.ts';
import { invalidInput } from '../../kernel/errors.ts';
import type { ProviderFamilyMeans } from './means.ts';
import {
  factsOf,
  idArgument,
  OWNER_OF_PROVIDERS,
  providerFacts,
  reasonArgument,
  toolFacts,
  toolsOf,
} from './provider-shape.ts';
import { restFacts, restOf } from './rest-shape.ts';

export const review = defineTool({
  ...OWNER_OF_PROVIDERS,
  name: 'provider.review',
  title: 'Review a provider',
  summary:
    'Admits tools of a discovered provider, each pinned as it was shown. From then on they can be called, as long as they stay the same.',
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  example: { id: 'files', admit: ['read_file'], trust: 'USER_ADDED_REVIEWED', reason: 'for the docs' },
  input: z.object({
    id: idArgument,
    admit: z
      .array(z.string().max(128))
      .max(512)
      .optional()
      .describe('Names of tools, as the provider has them'),
    admit_all: z.boolean().default(false).describe('Everything that no finding holds'),
    admit_prompts: z
      .array(z.string().max(128))
      .max(256)
      .optional()
      .describe('Names of prompts; without it all of them with admit_all, else none'),
    admit_resources: z
      .array(z.string().max(2_048))
      .max(1_024)
      .optional()
      .describe('Addresses of resources, or templates of them, as the provider writes them'),
    relay: z
      .array(z.enum(RELAYS))
      .optional()
      .describe(
        'What it may ask the one who calls for on the way; without it as before, and nothing at first',
      ),
    trust: z
      .enum(TRUST_TIERS)
      .optional()
      .describe('How far it is trusted; without it as before. Given alone, nothing else is decided'),
    effects: z
      .record(z.string(), z.enum(EFFECT_CLASSES))
      .default({})
      .describe('Effect classes by tool, where they differ from what is suggested'),
    allow_hosts: z
      .array(z.string().max(253))
      .max(100)
      .optional()
      .describe('Hosts whose pictures and addresses its answers may hold; without it as before'),
    reason: reasonArgument,
  }),
  output: z.object({
    ...providerFacts,
    tools: z.array(toolFacts),
    ...restFacts,
    dropped: z
      .object({ tools: z.array(z.string()), prompts: z.array(z.string()), resources: z.array(z.string()) })
      .describe('What was admitted before and is no longer'),
  }),
  async handler(use: ProviderFamilyMeans, given, call) {
    const { id, admit, admit_all, admit_prompts, admit_resources, relay, trust, effects, reason } = given;
    const rest = admit_all ? 'all' : [];
    if (admit === undefined && !admit_all && trust !== undefined)
      return answerOf(await changeTrust(use, call.ticket, id, trust, reason));
    if ((admit === undefined) === !admit_all)
      throw invalidInput('admit', 'or "admit_all" must be given, and not both');
    const { provider, dropped } = await reviewProvider(use, call.ticket, id, {
      admit: admit ?? 'all',
      prompts: admit_prompts ?? rest,
      resources: admit_resources ?? rest,
      relays: relay,
      trust,
      effects,
      allowedHosts: given.allow_hosts,
      reason,
    });
    return answerOf(provider, dropped);
  },
});

const NOTHING: Dropped = { tools: [], prompts: [], resources: [] };

const answerOf = (provider: Provider, { tools, prompts, resources }: Dropped = NOTHING) => ({
  ...factsOf(provider),
  tools: toolsOf(provider),
  ...restOf(provider),
  dropped: { tools: [...tools], prompts: [...prompts], resources: [...resources] },
});
