/** What the provider family works with. */
import type { AnswerMeans } from '../../domain/providers/answers/keep-answer.ts';
import type { CustodyFacts } from '../../domain/providers/custody/describe-custody.ts';
import type { ProviderFirewall } from '../../domain/providers/firewall/provider-firewall.ts';
import type { LiveProviders } from '../../domain/providers/live-providers.ts';
import type { ProviderMeans } from '../../domain/providers/means.ts';
import type { ProviderProfile } from '../../domain/providers/profile.ts';
import type { WaitingCalls } from '../../domain/providers/waiting-calls.ts';
import type { BlobStore } from '../../kernel/ports/blob-store.ts';
import type { SecretBox } from '../../kernel/ports/secret-box.ts';
import type { ReadScope } from '../../kernel/ports/unit-of-work.ts';

export interface UnconfirmedCall {
  readonly call: string;
  readonly tool: string;
  readonly at: number;
  readonly by: string;
}

export interface ProviderFamilyMeans
  extends ProviderMeans,
    AnswerMeans,
    Pick<ProviderFirewall, 'inspect' | 'inspectText' | 'checkArguments'> {
  readonly blobs: BlobStore;
  readonly secrets: SecretBox;
  readonly live: LiveProviders;
  /** Calls that wait for an answer of whoever made them. */
  readonly waiting: WaitingCalls;
  /** Calls a tool of this family as Sluice itself, through the pipeline. */
  act(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** What of its credentials is there. */
  credentials(profile: ProviderProfile): CustodyFacts | null;
  /** The newest calls of a provider of which nobody knows whether they were carried out. */
  unconfirmed(scope: ReadScope, provider: string): Promise<readonly UnconfirmedCall[]>;
}
