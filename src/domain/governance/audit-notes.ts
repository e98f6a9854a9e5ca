/** What the log's own records say in their notes. A note that makes no sense says nothing. */
import { z } from 'zod';
import type { ChainHead } from './audit-chain.ts';
import type { AuditRecord } from './audit-record.ts';

const pruning = z.object({ through: z.int(), hash: z.string() });
export type Pruning = z.output<typeof pruning>;

/** Which records a checkpoint accounts for: all up to `through`, the last of them with this hash. */
export const writePruning = (last: ChainHead): string =>
  JSON.stringify({ through: last.sequence, hash: last.hash } satisfies Pruning);

export function readPruning(record: AuditRecord): Pruning | undefined {
  return record.kind === 'checkpoint' ? readNote(record, pruning) : undefined;
}

const start = z.object({
  others: z.array(z.object({ writer: z.string(), sequence: z.int(), hash: z.string() })),
});

/** Where a writer saw the chains of the others stand when it began. */
export function readSightings(record: AuditRecord): readonly ChainHead[] {
  return record.kind === 'writer_started' ? (readNote(record, start)?.others ?? []) : [];
}

const headless = z.object({ no_head: z.literal(true) });

/** True where a writer went on with records of its own of which no signed head was left. */
export const foundNoHead = (record: AuditRecord): boolean =>
  record.kind === 'writer_started' && readNote(record, headless) !== undefined;

function readNote<T>({ note }: AuditRecord, shape: z.ZodType<T>): T | undefined {
  try {
    return shape.safeParse(JSON.parse(note ?? 'null')).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
