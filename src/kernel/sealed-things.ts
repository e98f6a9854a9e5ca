/** What an area keeps sealed for good, for when the master key is exchanged. */
import type { Landing } from './ticket.ts';

export interface SealedThings {
  /** What they are, as the report counts them. */
  readonly what: 'credentials' | 'owner_token';
  /** Seals all of them with the newest key in this transaction; answers how many are. */
  reseal(landing: Landing): Promise<number>;
}
