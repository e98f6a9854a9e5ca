/** Blobs that nothing refers to, in SQL. */
import type { IdleBlobs } from '../../domain/workspace/ports/idle-blobs.ts';
import { inPieces } from './chunks.ts';
import { reading, writing } from './scopes.ts';

export const idleBlobs: IdleBlobs = {
  async claim(tx, digests) {
    // In one order, so that two that claim several do not wait for each other.
    await inPieces(digests.toSorted(), async (piece) => {
      await writing(tx).deleteFrom('idle_blob').where('digest', 'in', piece).execute();
      return [];
    });
  },

  async all(scope) {
    const rows = await reading(scope).selectFrom('idle_blob').selectAll().execute();
    return new Map(rows.map(({ digest, since }) => [digest, since]));
  },

  async note(tx, digests, since) {
    await inPieces(digests, async (piece) => {
      await writing(tx)
        .insertInto('idle_blob')
        .values(piece.map((digest) => ({ digest, since })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return [];
    });
  },

  async take(tx, digest, since) {
    const row = await writing(tx)
      .deleteFrom('idle_blob')
      .where('digest', '=', digest)
      .where('since', '<=', since)
      .returning('digest')
      .executeTakeFirst();
    return row !== undefined;
  },
};
