/**
 * Which bytes a caller may refer to by their digest. They are kept once, whoever brought them; for one from whom
 * something is hidden only those are there that it sees in a file or has sent itself. Else a digest would be as good
 * as the hidden file.
 */
import type { Principal } from '../../kernel/caller.ts';
import { SEES_ALL } from '../../kernel/sight.ts';
import type { Landing } from '../../kernel/ticket.ts';
import type { WorkspaceMeans } from './means.ts';
import { workspaceOf } from './page-rules.ts';

/** Says it of blobs that are, or are parts of, files of these digests. */
export async function usableBlobs(
  use: Pick<WorkspaceMeans, 'files'>,
  { tx, submission }: Landing,
  digests: readonly string[],
  wasSent: (blob: string) => boolean,
): Promise<(blob: string) => boolean> {
  const { sight = SEES_ALL } = submission;
  if (sight.hidden.length === 0) return () => true;
  const seen = await use.files.withDigests(tx, workspaceOf(submission), digests);
  const parts = new Set(seen.flatMap((file) => file.parts));
  return (blob) => parts.has(blob) || wasSent(blob);
}

/** More than one call can refer to in files of a usual size. */
const BLOBS_KNOWN = 4_096;
const SENDERS_KNOWN = 256;

/** Who has sent which bytes lately. What is forgotten, at the latest when the program ends, is to be sent again. */
export class SentBlobs {
  readonly #senders = new Map<string, Set<string>>();

  note({ kind, id }: Principal, blobs: readonly string[]): void {
    const sender = `${kind}:${id}`;
    const known = this.#senders.get(sender) ?? new Set();
    // What came last stands last, and the first goes first.
    this.#senders.delete(sender);
    this.#senders.set(sender, known);
    for (const blob of blobs) {
      known.delete(blob);
      known.add(blob);
    }
    forgetFirst(known, BLOBS_KNOWN);
    forgetFirst(this.#senders, SENDERS_KNOWN);
  }

  has({ kind, id }: Principal, blob: string): boolean {
    return this.#senders.get(`${kind}:${id}`)?.has(blob) ?? false;
  }
}

function forgetFirst(from: Set<string> | Map<string, unknown>, most: number): void {
  for (const one of from.keys()) {
    if (from.size <= most) return;
    from.delete(one);
  }
}
