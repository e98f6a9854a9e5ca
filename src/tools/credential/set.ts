/** Keeps a credential for providers. It comes in sealed with the home's key, so that no call ever carries it. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { setCredential } from '../../domain/providers/custody/keep-credential.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { factsOfSlot, OWNER_OF_CREDENTIALS, refArgument, slotFacts, userArgument } from './slot-shape.ts';

export const set = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.set',
  title: 'Keep a credential',
  summary:
    'Keeps a credential that is sent to providers and never shown again. It is sealed before it is given here: use "sluice credential set".',
  effect: 'local_side_effect',
  write: { kind: 'credential', derivation: 'none' },
  example: { ref: 'connector://github', sealed: 'sealed-v1.…' },
  input: z.object({
    ref: refArgument,
    user: userArgument,
    sealed: z.string().max(40_000).describe("The credential, sealed with the home's key for this slot"),
  }),
  output: z.object(slotFacts),
  handler: async (use: CredentialFamilyMeans, { ref, user, sealed }, call) =>
    factsOfSlot(await setCredential(use, call.ticket, { ref, user: user ?? null }, sealed)),
});
