/** The port to what is kept of providers. */
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { SurfaceFinding } from '../check-surface.ts';
import type { Drift } from '../drift.ts';
import type { ProviderState, ReasonCode } from '../lifecycle.ts';
import type { ProviderProfile } from '../profile.ts';
import type { ProviderSurface } from '../surface.ts';

export interface Provider {
  readonly profile: ProviderProfile;
  readonly state: ProviderState;
  readonly reasonCode: ReasonCode;
  readonly reason: string;
  /** What it showed when it was last discovered. */
  readonly seen: ProviderSurface | null;
  /** What its pins were made from. */
  readonly admitted: ProviderSurface | null;
  readonly findings: readonly SurfaceFinding[];
  readonly drift: readonly Drift[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One move between states, kept for ever. */
export interface ProviderMove {
  readonly provider: string;
  readonly at: number;
  readonly from: ProviderState | null;
  readonly to: ProviderState;
  readonly reasonCode: ReasonCode;
  readonly reason: string;
  readonly actor: string;
  readonly call: string;
}

export interface ProviderStore {
  /** Rises with every change; other processes watch it. */
  version(scope: ReadScope): Promise<number>;
  /** All that were not removed, by id. */
  all(scope: ReadScope): Promise<readonly Provider[]>;
  find(scope: ReadScope, id: string): Promise<Provider | undefined>;
  put(tx: WriteTx, provider: Provider): Promise<void>;
  note(tx: WriteTx, move: ProviderMove): Promise<void>;
  /** Newest first. */
  moves(scope: ReadScope, id: string, limit: number): Promise<readonly ProviderMove[]>;
}
