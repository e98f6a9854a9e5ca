/** The port by which a connection gets the credentials it has to send, each time at the moment of sending. */
import type { ProviderProfile } from '../profile.ts';

export type CustodyTarget = Pick<ProviderProfile, 'id' | 'transport' | 'credentialRef' | 'custody'>;

export interface SentHeader {
  readonly name: string;
  readonly value: string;
}

/** What a server says about the credential it wants. Untrusted, all of it. */
export interface Challenge {
  readonly status: number;
  readonly error?: string | undefined;
  readonly scope?: string | undefined;
  readonly resourceMetadata?: string | undefined;
}

export interface CustodyDesk {
  /** Undefined for a provider that takes no credential; throws where it takes one and there is none. */
  header(target: CustodyTarget, user: string | null): Promise<SentHeader | undefined>;
  /** True when there is another one by now, worth one more try; throws what has to be done otherwise. */
  refused(
    target: CustodyTarget,
    user: string | null,
    challenge: Challenge,
    sent: SentHeader | undefined,
  ): Promise<boolean>;
  /** What the provider knows of our secrets by now, so that it is not heard when it says them. */
  given(target: CustodyTarget, user: string | null): readonly string[];
  /** Variables for the provider's program. */
  environment(target: CustodyTarget, user: string | null): Promise<Readonly<Record<string, string>>>;
}
