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
  const file = openSync(newest, 'a+', 0o600);
  closeSync(file);
  const slots = openSync(newest, 'r+');
  let slot = 0;
  let keptUpTo = readHeads(kept).at(-1)?.sequence ?? 0;
  return {
    publicKey: keys.verifying,
    keep(head, at) {
      if (head.sequence === 0) return;
      const signed = signHead(head, at, keys.signing);
      writeSync(slots, `${JSON.stringify(signed).padEnd(SLOT - 1)}\n`, slot * SLOT);
      slot = 1 - slot;
      if (head.sequence - keptUpTo < KEEP_EVERY) return;
      keptUpTo = head.sequence;
      appendFileSync(kept, `${JSON.stringify(signed)}\n`, { mode: 0o600 });
    },
    heads() {
      const latest = readHeads(newest).sort((a, b) => b.sequence - a.sequence)[0];
      return latest ? [...readHeads(kept), latest] : readHeads(kept);
    },
    close: () => closeSync(slots),
  };
}

/** A line that is torn or no head at all is passed over: what it should have said is missing then, which `verify` sees. */
function readHeads(path: string): SignedHead[] {
  return readIfThere(path)
    .split('\n')
    .flatMap((line) => {
      const head = headShape.safeParse(parseLine(line));
      return head.success ? [head.data] : [];
    });
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
