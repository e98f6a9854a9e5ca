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
export type ApprovalId = Branded<'ApprovalId'>;

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

/** Every byte in hex: an id is made for each call, and this is the quickest way to write one. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function formatUuidV7(random: Uint8Array, ms: number, counter: number): string {
  const time = ms.toString(16).padStart(12, '0');
  const hex = (place: number): string => HEX[random[place] ?? 0] ?? '';
  const count = `7${(counter >> 8).toString(16)}${HEX[counter & 0xff]}`;
  const variant = HEX[0x80 | ((random[8] ?? 0) & 0x3f)];
  const tail = `${hex(10)}${hex(11)}${hex(12)}${hex(13)}${hex(14)}${hex(15)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${count}-${variant}${hex(9)}-${tail}`;
}
