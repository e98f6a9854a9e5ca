/** Keeps what an authorization server has granted or renewed. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { keepGrant } from '../../domain/providers/custody/keep-credential.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { factsOfSlot, OWNER_OF_CREDENTIALS, slotFacts } from './slot-shape.ts';

export const keepGrantTool = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.keep_grant',
  title: 'Keep a grant',
  summary: 'Keeps what an authorization server has granted or renewed.',
  internal: true,
  effect: 'local_side_effect',
  write: { kind: 'credential', derivation: 'none' },
  example: {
    ref: 'grant://tracker',
    user: null,
    sealed: 'sealed-v1.…',
    facts: { issuer: 'https://example.com', resource: '', scopes: [], expiresAt: null, renewable: false },
    provider: null,
  },
  input: z.object({
    ref: z.string().describe('Of the slot'),
    user: z.string().nullable().describe('Of the slot'),
    sealed: z.string().max(80_000).describe('The grant, sealed'),
    facts: z
      .object({
        issuer: z.string(),
        resource: z.string(),
        scopes: z.array(z.string()),
        expiresAt: z.number().nullable(),
        renewable: z.boolean(),
      })
      .describe('What may be shown of it'),
    provider: z.string().nullable().describe('The provider that was connected by it'),
  }),
  output: z.object(slotFacts),
  handler: async (use: CredentialFamilyMeans, { ref, user, sealed, facts, provider }, call) =>
    factsOfSlot(await keepGrant(use, call.ticket, { ref, user, sealed, facts, provider })),
});
