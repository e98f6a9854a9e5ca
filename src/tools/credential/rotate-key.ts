/** Exchanges the key that everything secret is sealed with. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { KEEP_FORMER_MS, rotateKey } from '../../domain/governance/rotate-key.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { OWNER_OF_CREDENTIALS, resealedFacts } from './slot-shape.ts';

export const rotateKeyTool = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.rotate_key',
  title: 'Exchange the master key',
  summary:
    "Makes a new master key and seals every credential and the owner's token anew with it, all at once.",
  effect: 'local_side_effect',
  write: { kind: 'credential', derivation: 'none' },
  example: {},
  input: z.object({
    alone: z.boolean().default(false).describe('On a shared database: no other gateway has this key'),
  }),
  output: z.object({
    ...resealedFacts,
    former_until: z.string().describe('Until when the key before is kept, for answers that lie sealed'),
  }),
  async handler(use: CredentialFamilyMeans, { alone }, call) {
    const counts = await rotateKey(use.rotation, call.ticket, alone);
    return { ...counts, former_until: new Date(call.at + KEEP_FORMER_MS).toISOString() };
  },
});
