/**
 * Signed audit heads on disk. The newest stands in one of two slots that are written in turn, so that a crash
 * while writing leaves the other; every so many records one is also kept for good.
 */
import type { KeyObject } from 'node:crypto';
import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type HeadFile, type SignedHead, signHead } from '../../domain/governance/audit-heads.ts';

const SLOT = 512;
const KEEP_EVERY = 256;

const headShape = z.object({
  writer: z.string(),
  sequence: z.int(),
  hash: z.string(),
  at: z.number(),
  signature: z.string(),
});

export interface OpenHeadFile extends HeadFile {
  close(): void;
}

export function openHeadFile(
  folder: string,
  keys: { readonly signing: KeyObject; readonly verifying: KeyObject },
): OpenHeadFile {
  const [newest, kept] = [join(folder, 'newest'), join(folder, 'kept.jsonl')];
  const slots = openSlots(newest);
  const before = readSlots(newest);
  // The older one goes first, so that a crash while writing it leaves the newer.
  let slot = (before[0]?.sequence ?? 0) > (before[1]?.sequence ?? 0) ? 1 : 0;
  let highest = newestOf(before);
  let keptUpTo = readHeads(kept).at(-1)?.sequence ?? 0;

  const keepForGood = (head: SignedHead): void => {
    // A line of its own, whatever an interrupted write left before it.
    appendFileSync(kept, `\n${JSON.stringify(head)}\n`, { mode: 0o600 });
    keptUpTo = head.sequence;
  };

  return {
    publicKey: keys.verifying,
    keep(head, at) {
      if (head.sequence === 0) return;
      // A chain that does not go on from where it stood was cut: the head that proves it must outlive the slots.
      if (highest && head.sequence <= highest.sequence && head.hash !== highest.hash) keepForGood(highest);
      const signed = signHead(head, at, keys.signing);
      writeSync(slots, `${JSON.stringify(signed).padEnd(SLOT - 1)}\n`, slot * SLOT);
      slot = 1 - slot;
      highest = signed;
      if (head.sequence - keptUpTo >= KEEP_EVERY) keepForGood(signed);
    },
    newest: () => newestOf(readSlots(newest)),
    heads() {
      const latest = newestOf(readSlots(newest));
      return latest ? [...readHeads(kept), latest] : readHeads(kept);
    },
    close: () => closeSync(slots),
  };
}

function openSlots(path: string): number {
  closeSync(openSync(path, 'a+', 0o600));
  return openSync(path, 'r+');
}

/** What stands in the two slots; undefined where there is nothing, or a torn write. */
function readSlots(path: string): readonly (SignedHead | undefined)[] {
  const text = readIfThere(path);
  return [text.slice(0, SLOT), text.slice(SLOT, 2 * SLOT)].map(readHead);
}

const newestOf = (heads: readonly (SignedHead | undefined)[]): SignedHead | undefined =>
  heads.flatMap((head) => head ?? []).sort((a, b) => b.sequence - a.sequence)[0];

/** A line that is torn or no head at all is passed over: what it should have said is missing then, which `verify` sees. */
const readHeads = (path: string): SignedHead[] =>
  readIfThere(path)
    .split('\n')
    .flatMap((line) => readHead(line) ?? []);

function readHead(line: string): SignedHead | undefined {
  try {
    return headShape.safeParse(JSON.parse(line)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readIfThere(path: string): string {
  try {
    // Latin-1, so that a byte is a character and torn bytes stay where they are.
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
