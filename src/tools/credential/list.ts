/** All credentials that are kept for providers. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { refsOf } from '../../domain/providers/custody/describe-custody.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { factsOfSlot, OWNER_OF_CREDENTIALS, slotFacts } from './slot-shape.ts';

export const list = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.list',
  title: 'List credentials',
  summary:
    'Which credentials are kept, whose they are and which providers they are for; never what they are.',
  effect: 'read_only',
  example: {},
  input: z.object({}),
  output: z.object({
    credentials: z.array(z.object({ ...slotFacts, providers: z.array(z.string()) })),
  }),
  async handler(use: CredentialFamilyMeans, _, call) {
    const profiles = use.registry.directory.all().map(({ profile }) => profile);
    const slots = await use.slots.all(call.read);
    return {
      credentials: slots.map((slot) => ({
        ...factsOfSlot(slot),
        providers: profiles.filter((profile) => refsOf(profile).has(slot.ref)).map(({ id }) => id),
      })),
    };
  },
});
