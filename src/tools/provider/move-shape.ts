/** What all tools share that move a provider to another state: an id, and a reason that is kept. */
import { z } from 'zod';
import { idArgument, OWNER_OF_PROVIDERS, providerFacts, reasonArgument } from './provider-shape.ts';

export const MOVE = {
  ...OWNER_OF_PROVIDERS,
  effect: 'local_side_effect',
  write: { kind: 'provider', derivation: 'none' },
  example: { id: 'files', reason: 'looks wrong' },
  input: z.object({ id: idArgument, reason: reasonArgument }),
  output: z.object(providerFacts),
} as const;
