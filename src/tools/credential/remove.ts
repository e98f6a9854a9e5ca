/** Forgets a credential. */
import { z } from 'zod';
import { defineTool } from '../../catalogue/tool-definition.ts';
import { removeCredential } from '../../domain/providers/custody/keep-credential.ts';
import type { CredentialFamilyMeans } from './means.ts';
import { OWNER_OF_CREDENTIALS, refArgument, userArgument } from './slot-shape.ts';

export const remove = defineTool({
  ...OWNER_OF_CREDENTIALS,
  name: 'credential.remove',
  title: 'Remove a credential',
  summary: 'Forgets a credential; providers that need it are refused from then on.',
  effect: 'local_side_effect',
  write: { kind: 'credential', derivation: 'none' },
  destructive: true,
  example: { ref: 'connector://github' },
  input: z.object({ ref: refArgument, user: userArgument }),
  output: z.object({ ref: z.string(), user: z.string().nullable(), removed: z.literal(true) }),
  async handler(use: CredentialFamilyMeans, { ref, user }, call) {
    const key = { ref, user: user ?? null };
    await removeCredential(use, call.ticket, key);
    return { ...key, removed: true as const };
  },
});
