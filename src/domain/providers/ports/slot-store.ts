/** The port to where credentials are kept, sealed. */
import type { ReadScope, WriteTx } from '../../../kernel/ports/unit-of-work.ts';
import type { CredentialSlot, SlotKey } from '../custody/credential-slot.ts';

export interface SlotStore {
  /** Rises with every change; other processes watch it. */
  version(scope: ReadScope): Promise<number>;
  /** By reference, then user; the shared one first. */
  all(scope: ReadScope): Promise<readonly CredentialSlot[]>;
  /** In the place of what the slot held. */
  put(tx: WriteTx, slot: CredentialSlot): Promise<void>;
  /** False when there was nothing. */
  remove(tx: WriteTx, key: SlotKey): Promise<boolean>;
}
