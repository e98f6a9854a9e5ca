/** How a credential looks in answers: everything about it but itself. */
import { z } from 'zod';
import { OWNER_ONLY } from '../../catalogue/registration.ts';
import type { CredentialSlot } from '../../domain/providers/custody/credential-slot.ts';

export const OWNER_OF_CREDENTIALS = { ...OWNER_ONLY, scopes: ['providers.manage'] } as const;

export const refArgument = z.string().max(300).describe('A reference such as connector://github');
export const userArgument = z
  .string()
  .max(64)
  .optional()
  .describe('Whose it is; left out for the one that all callers share');

export const slotFacts = {
  ref: z.string(),
  user: z.string().nullable(),
  kind: z.enum(['secret', 'oauth']),
  issuer: z.string().nullable(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  renewable: z.boolean(),
  updated_at: z.string(),
};

export function factsOfSlot({ ref, user, kind, facts, updatedAt }: CredentialSlot) {
  return {
    ref,
    user,
    kind,
    issuer: facts?.issuer ?? null,
    scopes: [...(facts?.scopes ?? [])],
    expires_at: facts?.expiresAt == null ? null : new Date(facts.expiresAt).toISOString(),
    renewable: facts?.renewable ?? false,
    updated_at: new Date(updatedAt).toISOString(),
  };
}

/** How much was sealed anew. */
export const resealedFacts = { credentials: z.int(), owner_token: z.int() };
