/** Branded identifiers and the one way to make new ones: UUIDv7, so that ids sort by the time they were made. */
import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

declare const brand: unique symbol;
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type WorkspaceId = Branded<'WorkspaceId'>;
export type PageId = Branded<'PageId'>;
export type BlockId = Branded<'BlockId'>;
export type MemoryId = Branded<'MemoryId'>;
export type BatchId = Branded<'BatchId'>;
export type CallId = Branded<'CallId'>;
export type RunId = Branded<'RunId'>;
export type ThreadId = Branded<'ThreadId'>;
export type PrincipalId = Branded<'PrincipalId'>;
export type CredentialId = Branded<'CredentialId'>;
export type RuleId = Branded<'RuleId'>;
export type ProposalId = Branded<'ProposalId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isUuid = (text: string): boolean => UUID.test(text);

/** Makes ids of one composition; `next` never repeats and never goes backwards, even when the clock does. */
export interface IdSource {
  next<Id extends string>(): Id;
}

/** `entropy` fills the given bytes; tests pass a seeded one. */
export function createIdSource(
  clock: Clock,
  entropy: (bytes: Uint8Array) => void = pooledEntropy(),
): IdSource {
  const bytes = new Uint8Array(16);
  let lastMs = -1;
  let counter = 0;
  return {
    next<Id extends string>(): Id {
      const now = clock.now();
      entropy(bytes);
      if (now > lastMs) {
        lastMs = now;
        counter = ((bytes[6] ?? 0) & 0x07) * 256 + (bytes[7] ?? 0);
      } else {
        counter += 1;
        if (counter > 0xfff) {
          lastMs += 1;
          counter = 0;
        }
      }
      return formatUuidV7(bytes, lastMs, counter) as Id;
    },
  };
}

/** Asking the system for every id costs more than the rest of a call's bookkeeping; it is asked for many at once. */
function pooledEntropy(): (bytes: Uint8Array) => void {
  const pool = new Uint8Array(4096);
  let used = pool.length;
  return (bytes) => {
    if (used + bytes.length > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    bytes.set(pool.subarray(used, used + bytes.length));
    used += bytes.length;
  };
}

function formatUuidV7(random: Uint8Array, ms: number, counter: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const variant = (0x80 | ((random[8] ?? 0) & 0x3f)).toString(16);
  const tail = Buffer.from(random.buffer, random.byteOffset + 9, 7).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${tail.slice(0, 2)}-${tail.slice(2)}`;
}
