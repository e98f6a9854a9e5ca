/** What is told of a provider's credentials: that they are there. */
import { z } from 'zod';
import type { CustodyFacts } from '../../domain/providers/custody/describe-custody.ts';

export const custodyFacts = z
  .object({
    per_user: z.boolean(),
    header: z.string(),
    environment: z.record(z.string(), z.string()),
    connected: z.boolean(),
    held: z.array(
      z.object({
        ref: z.string(),
        user: z.string().nullable(),
        kind: z.string(),
        issuer: z.string().nullable(),
        scopes: z.array(z.string()),
        expires_at: z.string().nullable(),
      }),
    ),
  })
  .nullable();

export function custodyFactsOf(custody: CustodyFacts | null): z.input<typeof custodyFacts> {
  if (!custody) return null;
  const { perUser, header, environment, held } = custody;
  return {
    per_user: perUser,
    header,
    environment: { ...environment },
    connected: held.length > 0,
    held: held.map(({ ref, user, kind, facts }) => ({
      ref,
      user,
      kind,
      issuer: facts?.issuer ?? null,
      scopes: [...(facts?.scopes ?? [])],
      expires_at: facts?.expiresAt == null ? null : new Date(facts.expiresAt).toISOString(),
    })),
  };
}
