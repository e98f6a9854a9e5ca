/** How a client looks in answers; its token is not part of it. */
import { z } from 'zod';
import { type Credential, stateOf } from '../../domain/governance/credentials.ts';
import { MAX_CAP, MIN_CAP } from '../../domain/governance/toolsets.ts';

export const capArgument = z.int().min(MIN_CAP).max(MAX_CAP);

export const clientFacts = z.object({
  name: z.string(),
  role: z.string(),
  scopes: z.array(z.string()).nullable().describe('null = all of the role'),
  origin: z.string(),
  workspace: z.string().nullable(),
  names: z.enum(['dotted', 'underscore']),
  toolset: z.string().nullable().describe('null = everything of the role'),
  cap: z.int().nullable().describe('Tools in a list at most'),
  state: z.enum(['valid', 'revoked', 'expired']),
  created_at: z.string(),
  expires_at: z.string().nullable(),
});

const isoOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const factsOf = (credential: Credential, now: number): z.input<typeof clientFacts> => ({
  name: credential.name,
  role: credential.role,
  scopes: credential.scopes === null ? null : [...credential.scopes],
  origin: credential.origin,
  workspace: credential.workspace,
  names: credential.nameForm,
  toolset: credential.offer?.toolset ?? null,
  cap: credential.offer?.cap ?? null,
  state: stateOf(credential, now),
  created_at: new Date(credential.createdAt).toISOString(),
  expires_at: isoOrNull(credential.expiresAt),
});
