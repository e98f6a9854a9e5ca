/** Writes down which approvals have expired, drops what they held, and lets go of old ones. */
import { type Approval, KEEP_FACTS_MS } from '../domain/governance/approvals/approval.ts';
import type { ApprovalDesk } from '../domain/governance/approvals/approval-desk.ts';
import type { Store } from '../drivers/store/store.ts';
import type { Clock } from '../kernel/clock.ts';
import { faultFields, type Log } from '../kernel/log.ts';
import type { BlobStore } from '../kernel/ports/blob-store.ts';

export interface UpkeepParts {
  readonly store: Store;
  readonly desk: ApprovalDesk;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly log: Log;
}

const EVERY_MS = 60_000;

/** Returns what stops it. */
export function startApprovalUpkeep(parts: UpkeepParts): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => sweepApprovals(parts))
      .catch((error: unknown) => {
        parts.log.warn('approvals_not_swept', faultFields(error));
      });
  }, EVERY_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Answers how many have expired. */
async function sweepApprovals({ store, desk, blobs, clock }: UpkeepParts): Promise<number> {
  const now = clock.now();
  const expired = await store.units.write({}, async (tx): Promise<readonly Approval[]> => {
    await store.approvals.forget(tx, now - KEEP_FACTS_MS);
    return store.approvals.expire(tx, now);
  });
  for (const { blob } of expired) if (blob !== null) await blobs.remove(blob);
  await desk.refresh();
  return expired.length;
}
