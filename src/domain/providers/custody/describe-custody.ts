/** What may be said of a provider's credentials: that they are there, whose, until when. Never what they are. */
import type { ProviderProfile } from '../profile.ts';
import type { CredentialSlot } from './credential-slot.ts';
import { custodyOf } from './custody-rules.ts';
import type { SlotDirectory } from './slot-directory.ts';

export interface CustodyFacts {
  readonly perUser: boolean;
  readonly header: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Those of its slots that hold something. */
  readonly held: readonly CredentialSlot[];
}

/** Null for a provider that takes no credentials. */
export function describeCustody(profile: ProviderProfile, slots: SlotDirectory): CustodyFacts | null {
  const refs = refsOf(profile);
  if (refs.size === 0) return null;
  const { perUser, header, environment } = custodyOf(profile);
  const held = slots.all().filter(({ ref, user }) => refs.has(ref) && (user !== null) === perUser);
  return { perUser, header, environment, held };
}

export const refsOf = (profile: Pick<ProviderProfile, 'credentialRef' | 'custody'>): ReadonlySet<string> =>
  new Set([
    ...(profile.credentialRef === null ? [] : [profile.credentialRef]),
    ...Object.values(custodyOf(profile).environment),
  ]);
