/** Audit entries that wait for themselves, into the batch's transaction: one that cannot be kept is refused alone. */
import type { AuditWriter, PendingEntry } from './audit-writer.ts';
import type { CommitEngine } from './commit-scheduler.ts';

interface Means {
  readonly engine: CommitEngine;
  readonly audit: AuditWriter;
}

export interface RefusedEntry<Entry> {
  readonly entry: Entry;
  readonly error: unknown;
}

/** All at once, and only if that fails one by one. Answers those that could not be kept. */
export async function appendEntries<Entry extends PendingEntry>(
  use: Means,
  entries: readonly Entry[],
): Promise<readonly RefusedEntry<Entry>[]> {
  if ((await tryAppend(use, entries)) === undefined) return [];
  const refused: RefusedEntry<Entry>[] = [];
  for (const entry of entries) {
    const failed = await appendAlone(use, entry);
    if (failed) refused.push({ entry, error: failed.error });
  }
  return refused;
}

async function appendAlone(use: Means, entry: PendingEntry): Promise<{ error: unknown } | undefined> {
  for (;;) {
    const failed = await tryAppend(use, [entry]);
    if (!failed || !(await use.audit.catchUp())) return failed;
  }
}

/** In a savepoint, so that neither the units' work nor the other entries go with it. */
async function tryAppend(
  { engine, audit }: Means,
  entries: readonly PendingEntry[],
): Promise<{ error: unknown } | undefined> {
  const { head } = audit;
  await engine.savepoint();
  try {
    await audit.append(entries);
    await engine.release();
    return undefined;
  } catch (error) {
    if (engine.isPassing(error) || engine.isBroken(error)) throw error;
    await engine.rollbackToSavepoint();
    audit.reset(head);
    return { error };
  }
}
