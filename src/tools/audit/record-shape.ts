/** How an audit record looks in answers: all its fields, the time readable. */
import { z } from 'zod';
import type { AuditRecord } from '../../domain/governance/audit-record.ts';

export const recordFacts = z.looseObject({
  writer: z.string(),
  sequence: z.int(),
  at: z.string(),
  call_id: z.string(),
  tool_name: z.string(),
  decision: z.string(),
  status: z.string(),
  hash: z.string(),
});

/** What is absent is left out. */
export function factsOf(record: AuditRecord): z.input<typeof recordFacts> {
  const present = Object.entries(record).filter(([, value]) => value !== null);
  return {
    ...(Object.fromEntries(present) as unknown as AuditRecord),
    at: new Date(record.created_at).toISOString(),
  };
}
