/** Credentials in memory, still sealed: read at start, after every change made here, and when another process made one. */
import type { UnitOfWork } from '../../../kernel/ports/unit-of-work.ts';
import type { SlotStore } from '../ports/slot-store.ts';
import type { CredentialSlot, SlotKey } from './credential-slot.ts';

export interface SlotDirectory {
  all(): readonly CredentialSlot[];
  find(key: SlotKey): CredentialSlot | undefined;
  /** Reads again if the store has a newer version. */
  refresh(): Promise<void>;
}

export async function createSlotDirectory(use: {
  readonly units: UnitOfWork;
  readonly store: SlotStore;
}): Promise<SlotDirectory> {
  const load = () =>
    use.units.read(async (scope) => ({
      version: await use.store.version(scope),
      slots: await use.store.all(scope),
    }));
  let current = await load();
  return {
    all: () => current.slots,
    find: ({ ref, user }) => current.slots.find((slot) => slot.ref === ref && slot.user === user),
    async refresh() {
      const version = await use.units.read((scope) => use.store.version(scope));
      if (version !== current.version) current = await load();
    },
  };
}
