/** Credentials in SQL, sealed. Every change raises the version that other processes watch. */
import type { CredentialSlot } from '../../domain/providers/custody/credential-slot.ts';
import type { SlotStore } from '../../domain/providers/ports/slot-store.ts';
import type { WriteTx } from '../../kernel/ports/unit-of-work.ts';
import type { Database } from './schema.ts';
import { reading, writing } from './scopes.ts';

/** A key of both databases cannot hold null. */
const SHARED = '';

export const slotStore: SlotStore = {
  async version(scope) {
    const row = await reading(scope)
      .selectFrom('credential_slot_version')
      .select('version')
      .executeTakeFirstOrThrow();
    return row.version;
  },

  async all(scope) {
    const rows = await reading(scope)
      .selectFrom('credential_slot')
      .selectAll()
      .orderBy('ref')
      .orderBy('user_name')
      .execute();
    return rows.map(toSlot);
  },

  async put(tx, { ref, user, kind, sealed, facts, createdAt, updatedAt }) {
    const row = {
      kind,
      sealed,
      facts: facts && JSON.stringify(facts),
      created_at: createdAt,
      updated_at: updatedAt,
    };
    await raise(tx);
    await writing(tx)
      .insertInto('credential_slot')
      .values({ ref, user_name: user ?? SHARED, ...row })
      .onConflict((conflict) => conflict.columns(['ref', 'user_name']).doUpdateSet(row))
      .execute();
  },

  async remove(tx, { ref, user }) {
    await raise(tx);
    const { numDeletedRows } = await writing(tx)
      .deleteFrom('credential_slot')
      .where('ref', '=', ref)
      .where('user_name', '=', user ?? SHARED)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
};

const raise = (tx: WriteTx) =>
  writing(tx)
    .updateTable('credential_slot_version')
    .set((version) => ({ version: version('version', '+', 1) }))
    .execute();

const toSlot = (row: Database['credential_slot']): CredentialSlot => ({
  ref: row.ref,
  user: row.user_name === SHARED ? null : row.user_name,
  kind: row.kind as CredentialSlot['kind'],
  sealed: row.sealed,
  facts: row.facts === null ? null : JSON.parse(row.facts),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
