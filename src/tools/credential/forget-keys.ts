/** Takes master keys away that were exchanged a day ago. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { forgetFormerKeys } from '../../domain/governance/rotate-key.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { OWNER_OF_CREDENTIALS, resealedFacts } from './slot-shape.ts';

export const forgetKeys = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.forget_keys',
  title: 'Forget former master keys',
  summary: 'Takes master keys away that were exchanged a day ago, after sealing anew what still needs them.',
  internal: true,
  effect: 'local_side_effect',
  write: { kind: 'credential', derivation: 'none' },
  example: {},
  input: z.object({}),
  output: z.object(resealedFacts),
  handler: (use: CredentialFamilyMeans, _, call) => forgetFormerKeys(use.rotation, call.ticket),
});
