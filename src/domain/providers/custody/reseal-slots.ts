/** Seals all credentials anew, when the master key is exchanged. */
import type { SealedThings } from '../../../kernel/sealed-things.ts';
import { slotPurpose } from './credential-slot.ts';
import type { CustodyMeans } from './keep-credential.ts';

export const sealedSlots = (use: Omit<CustodyMeans, 'changed'>): SealedThings => ({
  what: 'credentials',
  async reseal({ tx }) {
    let count = 0;
    for (const slot of await use.slots.all(tx)) {
      const sealed = use.secrets.reseal(slot.sealed, slotPurpose(slot));
      if (sealed === slot.sealed) continue;
      await use.slots.put(tx, { ...slot, sealed });
      count += 1;
    }
    if (count > 0) tx.afterCommit(() => use.directory.refresh());
    return count;
  },
});
