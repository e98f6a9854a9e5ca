/** What Sluice itself does to providers goes through the same pipeline as everybody; in no list, refused to all others. */
import { z } from 'zod';
import { OWNER_OF_PROVIDERS, providerFacts } from './provider-shape.ts';

export const INTERNAL = {
  ...OWNER_OF_PROVIDERS,
  internal: true,
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  limits: { inputBytes: 8 * 1024 * 1024 },
  output: z.object(providerFacts),
} as const;

const shown = z.record(z.string(), z.unknown());
export const surfaceShape = z
  .object({
    revision: z.string(),
    identity: shown,
    instructions: z.string().nullable(),
    tools: z.array(shown),
    prompts: z.array(shown),
    resourceTemplates: z.array(shown),
    resources: z.array(shown).optional(),
  })
  .describe('What the provider shows');
