/**
 * Takes blobs away that nothing has referred to for as long as the trash keeps things. First they are noted as idle,
 * much later taken, in one unit with a last look; whoever wants one meanwhile claims it and waits at the same row.
 */
import type { GovernanceState } from '../domain/governance/governance-state.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Clock } from '../kernel/clock.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';

export interface CollectingParts {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly governance: GovernanceState;
  readonly clock: Clock;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Answers how many went. */
export async function collectBlobs(parts: CollectingParts): Promise<number> {
  const { store, blobs, governance, clock } = parts;
  const there = new Set<string>();
  for await (const { digest } of blobs.list()) there.add(digest);
  const now = clock.now();
  const { used, idle } = await store.units.read(async (scope) => ({
    used: await store.files.blobsInUse(scope),
    idle: await store.idleBlobs.all(scope),
  }));
  const unused = there.difference(used);
  const fresh = [...unused].filter((digest) => !idle.has(digest));
  const settled = [...idle.keys()].filter((digest) => !unused.has(digest));
  if (fresh.length + settled.length > 0)
    await store.units.write({}, async (tx) => {
      await store.idleBlobs.claim(tx, settled);
      await store.idleBlobs.note(tx, fresh, now);
    });
  const since = now - governance.current().settings.trash_retention_days * DAY_MS;
  let taken = 0;
  for (const [digest, at] of idle)
    if (at <= since && unused.has(digest) && (await take(parts, digest, since, now))) taken += 1;
  return taken;
}

/**
 * The file goes inside the unit that holds the row: nobody can refer to it before that is over, and then it is not
 * there. Killed in between, the row is left and the next round finds nothing to take. What was sent again within the
 * last day may be about to be attached.
 */
async function take(
  { store, blobs }: CollectingParts,
  digest: string,
  since: number,
  now: number,
): Promise<boolean> {
  return store.units.write({}, async (tx) => {
    if (!(await store.idleBlobs.take(tx, digest, since))) return false;
    if (await store.files.usesBlob(tx, digest)) return false;
    if (blobs.dropOlder(digest, now - DAY_MS)) return true;
    await store.idleBlobs.note(tx, [digest], now);
    return false;
  });
}
